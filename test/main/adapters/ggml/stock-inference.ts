import { getLlama, type LlamaModel, LlamaLogLevel, type Token } from 'node-llama-cpp'

/** Stock llama.cpp through node-llama-cpp, with the cache in F32 so that it can be compared to the last bits. */
const models = new Map<string, LlamaModel>()
let llama: Awaited<ReturnType<typeof getLlama>> | null = null

async function modelOf(path: string): Promise<LlamaModel> {
  llama ??= await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, progressLogs: false })
  const model = models.get(path) ?? (await llama.loadModel({ modelPath: path }))
  models.set(path, model)
  return model
}

async function contextOf(path: string, lora?: string) {
  const model = await modelOf(path)
  return await model.createContext({
    contextSize: 256,
    flashAttention: false,
    threads: 1,
    experimentalKvCacheKeyType: 'F32',
    experimentalKvCacheValueType: 'F32',
    ...(lora !== undefined && { lora }),
  })
}

async function lastOutput(path: string, tokens: readonly number[], lora?: string) {
  const context = await contextOf(path, lora)
  const input = tokens.map((token, index) =>
    index === tokens.length - 1
      ? ([token as Token, { generateNext: { probabilities: true } }] as [
          Token,
          { generateNext: { probabilities: true } },
        ])
      : (token as Token),
  )
  const output = await context.getSequence().controlledEvaluate(input)
  const next = output.at(-1)?.next
  await context.dispose()
  if (!next) throw new Error('llama.cpp gave no output.')
  return next
}

/** Probabilities of the token after `tokens`, by id. */
export async function stockProbabilities(path: string, tokens: readonly number[], lora?: string) {
  return (await lastOutput(path, tokens, lora)).probabilities as ReadonlyMap<number, number>
}

/** The `count` likeliest tokens after `tokens`, one after the other. */
export async function stockGreedy(path: string, tokens: readonly number[], count: number, lora?: string) {
  const context = await contextOf(path, lora)
  const written: number[] = []
  for await (const token of context
    .getSequence()
    .evaluate(tokens as Token[], { temperature: 0, yieldEogToken: true })) {
    written.push(token)
    if (written.length === count) break
  }
  await context.dispose()
  return written
}
