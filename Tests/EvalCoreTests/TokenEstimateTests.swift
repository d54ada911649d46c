import EvalCore
import Testing

@Suite struct TokenEstimateTests {
  /// Texts with their mean count over o200k, Llama 3 and Qwen 3, as those vocabularies' own code counts.
  static let counted: [(name: String, text: String, count: Double, within: Double)] = [
    (
      "English",
      "An app can answer a prompt with a model on the device or with a cloud model. A routing policy decides which one, per request. Today that decision is taken by belief; this tool takes it by measurement.",
      43.0, 0.15
    ),
    (
      "Spanish",
      "Una aplicación puede responder a una pregunta con un modelo en el dispositivo o con un modelo en la nube. Una política de enrutamiento decide cuál de los dos, en cada petición. Hoy esa decisión se toma por fe.",
      48.0, 0.15
    ),
    (
      "German",
      "Eine App kann eine Frage mit einem Modell auf dem Gerät oder mit einem Modell in der Cloud beantworten. Eine Regel entscheidet für jede Anfrage, welches von beiden es wird. Heute beruht diese Entscheidung auf Glauben.",
      51.33, 0.15
    ),
    (
      "Russian",
      "Приложение может ответить на запрос с помощью модели на устройстве или с помощью облачной модели. Правило маршрутизации решает, какую из них выбрать, для каждого запроса.",
      42.67, 0.15
    ),
    (
      "Japanese",
      "アプリは、端末上のモデルでもクラウド上のモデルでも質問に答えることができます。どちらを使うかは、リクエストごとにルーティングの方針が決めます。今日、その判断は信念によって下されています。",
      59.0, 0.15
    ),
    (
      "Chinese",
      "应用程序可以用设备上的模型或云端模型来回答问题。路由策略为每个请求决定使用哪一个。如今这个决定凭的是信念，而这个工具靠测量来做出决定。",
      43.33, 0.15
    ),
    (
      "Korean",
      "앱은 기기에 있는 모델이나 클라우드 모델로 질문에 답할 수 있습니다. 라우팅 정책이 요청마다 어느 것을 쓸지 결정합니다.",
      37.0, 0.15
    ),
    (
      "code",
      "func tokens(in text: String) -> Int {\n  if text.isEmpty { return 0 }\n  var counter = TokenCounter()\n  for scalar in text.unicodeScalars { counter.take(scalar) }\n  return max(1, Int(counter.total.rounded()))\n}\n",
      54.67, 0.15
    ),
    (
      "JSON",
      "{\"id\": \"capital-fr\", \"tags\": [\"geography\", \"easy\"], \"variables\": {\"country\": \"France\"}, \"input\": \"What is the capital of {{country}}?\", \"score\": 0.875}",
      47.67, 0.15
    ),
    (
      "numbers",
      "The sums are 1024, 65536 and 3.14159; on 2026-11-30 at 12:34 it was 1,000,000 and 42.",
      48.33, 0.15
    ),
  ]

  @Test(arguments: counted)
  func isNearWhatTokenizersCount(name: String, text: String, count: Double, within: Double) {
    let estimate = Double(TokenEstimate.tokens(in: text))
    #expect(abs(estimate / count - 1) <= within, "\(name): \(estimate) for \(count)")
  }

  @Test func edges() {
    #expect(TokenEstimate.tokens(in: "") == 0)
    #expect(TokenEstimate.tokens(in: " ") == 1)
    #expect(TokenEstimate.tokens(in: "a") == 1)
    #expect(TokenEstimate.tokens(in: ["a": [1, true]]) > 3)
  }

  @Test func growsWithTheText() {
    let one = TokenEstimate.tokens(in: "Every word counts. ")
    let hundred = TokenEstimate.tokens(in: String(repeating: "Every word counts. ", count: 100))
    #expect((95 * one...105 * one).contains(hundred))
  }
}
