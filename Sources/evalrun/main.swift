import EvalRunCLI
