import EvalCore
