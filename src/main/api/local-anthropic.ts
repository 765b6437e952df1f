import {
  AnthropicEvents,
  anthropicReply,
  anthropicRequest,
  anthropicSchema,
} from '../share/proxy/anthropic-local'
import { anthropicForm } from '../share/proxy/dialects/anthropic'
import { heldSchema, warningsOf } from '../share/proxy/local-model'
import { askedBy, bodyOf, type ProxyApp, type ProxyHttpDeps } from './local-routes'
import { answered } from './proxy-answer'

/** Anthropic's paths, answered by a model of Loam's. */
export function serveAnthropic(app: ProxyApp, deps: ProxyHttpDeps): void {
  app.post('/v1/messages', async (context) => {
    const body = await bodyOf(context, anthropicSchema)
    const id = `msg_${crypto.randomUUID()}`
    const events = new AnthropicEvents(id, body.model)
    return answered(context, deps.proxy, {
      asked: await askedBy(context, deps, body.model),
      request: anthropicRequest(body),
      ...{ protocol: 'anthropic', framing: body.stream === true ? 'named' : null },
      warnings: warningsOf(body, heldSchema(anthropicForm(body) ?? {}).unheld),
      whole: ({ result }) => anthropicReply(id, body.model, result),
      first: () => events.begin(),
      piece: (text) => events.text(text),
      call: (piece) => events.call(piece),
      pulse: () => [{ type: 'ping' }],
      last: ({ result }) => events.end(result),
    })
  })
  app.post('/v1/messages/count_tokens', async (context) => {
    const body = await bodyOf(context, anthropicSchema)
    const model = await deps.modelNamed(body.model, context.get('client'))
    const { messages, tools = [] } = anthropicRequest(body)
    const texts = [...messages.map(({ content }) => content), ...tools.map((tool) => JSON.stringify(tool))]
    const counts = await model.countTokens(texts, { signal: context.req.raw.signal })
    return context.json({ input_tokens: counts.reduce((sum, count) => sum + count, 0) })
  })
}
