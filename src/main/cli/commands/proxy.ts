import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  clientsFileSchema,
  clientTermsSchema,
  UPSTREAM_DIALECTS,
  type GivenTerms,
  type UpstreamDialect,
} from '../../../shared/domain/sharing'
import { BOUNDS } from '../../../shared/domain/bounds'
import { LoamError } from '../../../shared/errors'
import { modelOf, UsageError, type Arguments } from '../arguments'
import type { Command } from './command'
import { served } from './served'
import { memoryToServe } from './memory-named'
import { readingTime } from './reading-time'

/** `loam proxy`: models in OpenAI's protocol with a memory in between. Says its base address and key once it listens. */
export const proxyCommand: Command = async (context) => {
  const { args, io } = context
  const input = {
    ...memoryToServe(args, 0),
    model: modelOf(args) ?? null,
    upstream: args.text('upstream') ?? null,
    upstreamDialect: dialectOf(args.text('upstream-dialect')),
    contextSize: args.whole('context', BOUNDS.contextSize) ?? null,
    terms: ownTerms(args),
    clients: await clientsOf(args.text('clients')),
  }
  return served(
    context,
    ({ sharing }, signal) => sharing.serveProxy(input, { signal }),
    async ({ first: { url, key, memory }, ended, latest }) => {
      io.tell(
        args.json
          ? JSON.stringify({
              baseUrl: url,
              key,
              model: 'loam',
              memory: memory.path,
              upstream: input.upstream,
            })
          : `OPENAI_BASE_URL=${url}\nOPENAI_API_KEY=${key}`,
      )
      const patience = input.upstream === null ? await readingTime(url, key).catch(() => null) : null
      if (patience !== null) io.note(patience)
      await ended()
      return { baseUrl: url, requests: latest().requests }
    },
  )
}

function dialectOf(text: string | undefined): UpstreamDialect | null {
  const dialect = UPSTREAM_DIALECTS.find((one) => one === text)
  if (text === undefined || dialect) return dialect ?? null
  throw new UsageError(`--upstream-dialect: ${text} is none of ${UPSTREAM_DIALECTS.join(', ')}`)
}

function ownTerms(args: Arguments): GivenTerms {
  const input = {
    mode: args.text('mode'),
    method: args.text('method'),
    k: args.whole('k', BOUNDS.k),
    budget: args.whole('token-budget', BOUNDS.recallTokens),
    environment: args.text('environment'),
    judge: judgeOf(args.text('judge')),
  }
  const read = clientTermsSchema.safeParse(
    Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
  )
  if (read.success) return read.data
  throw new UsageError(
    `--${read.error.issues[0]?.path.join('.') ?? ''}: ${read.error.issues[0]?.message ?? ''}`,
  )
}

function judgeOf(word: string | undefined): boolean | undefined {
  if (word === undefined || word === 'yes' || word === 'no')
    return word === undefined ? undefined : word === 'yes'
  throw new UsageError(`--judge must be yes or no, not "${word}"`)
}

async function clientsOf(path: string | undefined): Promise<Readonly<Record<string, GivenTerms>>> {
  if (path === undefined) return {}
  try {
    const clients = clientsFileSchema.parse(JSON.parse(await readFile(resolve(path), 'utf8')))
    // Whoever serves may have been started in another folder.
    return Object.fromEntries(
      Object.entries(clients).map(([name, { memory, ...terms }]) => [
        name,
        { ...terms, ...(memory !== undefined && { memory: resolve(memory) }) },
      ]),
    )
  } catch (error) {
    throw new LoamError('BAD_INPUT', `${path} does not say how clients are served.`, {
      suggestion: 'Write {"NAME": {"memory": DIR, "mode": "both", "budget": 2000}} with the names of keys.',
      underlying: error,
    })
  }
}
