import EvalRunCLI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

exit(evalrunMain(CommandLine.arguments))
