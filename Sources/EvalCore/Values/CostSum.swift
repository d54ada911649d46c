extension Cost {
  /// The cost of several calls together: unknown when one is unknown, a lower bound when one is.
  package static func sum(of costs: [Cost]) -> Cost {
    var total = Cost(dollars: 0)
    for cost in costs {
      total.isLowerBound = total.isLowerBound || cost.isLowerBound
      guard let known = total.dollars else { continue }
      total.dollars = cost.dollars.map { known + $0 }
    }
    return total
  }
}

extension Case {
  /// What a template may name: the case's variables, and `id` and `reference` unless a variable has that name.
  package var templateVariables: JSONObject {
    var names = variables
    if names["id"] == nil { names["id"] = .string(id) }
    if names["reference"] == nil, let reference { names["reference"] = reference }
    return names
  }
}
