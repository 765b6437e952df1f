import { z } from 'zod'
import type { HubFile, HubModel } from '../../../shared/domain/download'
import { LoamError } from '../../../shared/errors'
import { MOST_LISTED } from '../../ground/isolate/answers'
import { readAnswer } from '../../ground/isolate/foreign-answer'
import { boundedText } from '../../net/bounded-text'
import { fetchFollowing, networkOff } from '../fetch-following'

/** How the hub is reached. */
export interface HubOptions {
  /** Where it answers, as `https://huggingface.co`. */
  readonly address: string
  /** Asked before every connection. */
  readonly networkAllowed: () => boolean
  /** An access token of the person's; null for none. */
  readonly token: string | null
  /** How long an answer may take, in ms. Default 20 s. */
  readonly withinMs?: number
}

/** What a repository holds. */
export interface HubContent {
  readonly repo: string
  readonly revision: string
  readonly license: string | null
  readonly gated: boolean
  readonly files: readonly HubFile[]
}

/** The hub's own protocol, as far as models are found and fetched by it. */
export type Hub = ReturnType<typeof openHub>

const MOST_FOUND = 25
/** Pages of a repository's list of files; each has up to a thousand. */
const MOST_PAGES = 10
const WITHIN_MS = 20_000
/** Longest answer, in characters. */
const LONGEST = 16 * 2 ** 20

const gatedSchema = z.union([z.boolean(), z.string()]).nullish()
const foundSchema = z.array(
  z.object({
    id: z.string(),
    downloads: z.number().default(0),
    likes: z.number().default(0),
    tags: z.array(z.string()).default([]),
    gated: gatedSchema,
  }),
)
const infoSchema = z.object({
  sha: z.string(),
  gated: gatedSchema,
  tags: z.array(z.string()).default([]),
  cardData: z.object({ license: z.unknown(), license_name: z.unknown() }).partial().nullish(),
})
const treeSchema = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: z.number().default(0),
    oid: z.string().nullish(),
    lfs: z.object({ oid: z.string(), size: z.number() }).nullish(),
  }),
)

const REPO = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/
/** What a file of a repository may be called here: no way out of its folder, no names that a system has for itself. */
const SEGMENT = /^(?!\.{1,2}$)(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[^\\:*?"<>|\u0000-\u001f]+$/i

/** Opens it. Nothing is asked before a person asks. */
export function openHub({ address, networkAllowed, token, withinMs = WITHIN_MS }: HubOptions) {
  const base = address.endsWith('/') ? address.slice(0, -1) : address
  const { host } = new URL(base)
  let open = 0

  const ask = async <T>(
    url: string,
    schema: z.ZodType<T>,
    what: string,
    signal?: AbortSignal,
  ): Promise<{ value: T; next: string | null }> => {
    if (!networkAllowed()) throw networkOff()
    const late = AbortSignal.timeout(withinMs)
    open += 1
    try {
      const response = await fetchFollowing(url, {
        headers: { accept: 'application/json' },
        key: token,
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      if (!response.ok) throw await refusal(response, what, host)
      const next = nextPage(response.headers.get('link') ?? '')
      return {
        value: schema.parse(await readAnswer(await boundedText(response, LONGEST), host, MOST_LISTED)),
        next,
      }
    } catch (error) {
      if (signal?.aborted) throw error
      if (error instanceof LoamError) throw error
      if (late.aborted) throw getError(`${host} did not answer within ${withinMs / 1000} s.`, error)
      if (error instanceof TypeError) throw getError(`${host} cannot be reached: ${reasonOf(error)}.`, error)
      throw getError(`${host} did not answer as a hub of models does.`, error)
    } finally {
      open -= 1
    }
  }

  return {
    host,
    token,
    /** Questions that hold a connection right now. */
    open: (): number => open,
    /** Where a file is fetched from. */
    fileUrl: (repo: string, revision: string, path: string): string =>
      `${base}/${repo}/resolve/${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`,
    /** GGUF repositories by name, the most downloaded first. @throws LoamError `NETWORK_OFF`, `DOWNLOAD` */
    async search(text: string, signal?: AbortSignal): Promise<HubModel[]> {
      const query = new URLSearchParams({
        ...{ search: text, filter: 'gguf', sort: 'downloads', direction: '-1', limit: String(MOST_FOUND) },
      })
      const { value } = await ask(`${base}/api/models?${query.toString()}`, foundSchema, 'the search', signal)
      return value
        .filter(({ id }) => REPO.test(id))
        .map(({ id, downloads, likes, tags, gated }) => ({
          ...{ repo: id, downloads, likes, license: licenseOf(tags), gated: isGated(gated) },
        }))
    },
    /** @throws LoamError `NETWORK_OFF`, `BAD_INPUT`, `NOT_FOUND`, `DOWNLOAD` */
    async content(repo: string, signal?: AbortSignal): Promise<HubContent> {
      if (!REPO.test(repo))
        throw new LoamError('BAD_INPUT', `"${repo}" is not the name of a repository.`, {
          suggestion: 'It has two parts, as Qwen/Qwen2.5-0.5B-Instruct-GGUF.',
        })
      const { value: info } = await ask(`${base}/api/models/${repo}`, infoSchema, repo, signal)
      const files: HubFile[] = []
      let url: string | null =
        `${base}/api/models/${repo}/tree/${encodeURIComponent(info.sha)}?recursive=true`
      for (let page = 0; url !== null && page < MOST_PAGES; page++) {
        // The next page is asked of the same place alone.
        if (new URL(url, base).origin !== new URL(base).origin) break
        const { value, next }: { value: z.infer<typeof treeSchema>; next: string | null } = await ask(
          new URL(url, base).href,
          treeSchema,
          repo,
          signal,
        )
        files.push(...value.filter(({ type, path }) => type === 'file' && isSafePath(path)).map(asFile))
        url = next
      }
      const card = info.cardData
      const reference = card?.license === 'other' ? card.license_name : card?.license
      return {
        ...{ repo, revision: info.sha, files, gated: isGated(info.gated) },
        license: typeof reference === 'string' ? reference : licenseOf(info.tags),
      }
    },
  }
}

/** Where the list goes on: the address in angle brackets of the link that is called next; null for none. */
function nextPage(links: string): string | null {
  const link = links.split(',').find((one) => one.includes('rel="next"')) ?? ''
  const [from, to] = [link.indexOf('<'), link.indexOf('>')]
  return from === -1 || to < from ? null : link.slice(from + 1, to)
}

/** Whether a path of a repository stays inside of the folder it is put into. */
export const isSafePath = (path: string): boolean =>
  path
    .split('/')
    .every((segment) => SEGMENT.test(segment) && !segment.endsWith('.') && !segment.endsWith(' '))

const asFile = ({ path, size, oid, lfs }: z.infer<typeof treeSchema>[number]): HubFile => ({
  path,
  sizeBytes: lfs?.size ?? size,
  sha256: lfs && /^[0-9a-f]{64}$/.test(lfs.oid) ? lfs.oid : null,
  gitSha1: !lfs && oid && /^[0-9a-f]{40}$/.test(oid) ? oid : null,
})

const isGated = (gated: z.infer<typeof gatedSchema>): boolean =>
  gated !== undefined && gated !== null && gated !== false && gated !== 'false'

const licenseOf = (tags: readonly string[]): string | null =>
  tags.find((tag) => tag.startsWith('license:'))?.slice('license:'.length) ?? null

const reasonOf = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message : error.message

const getError = (why: string, underlying?: unknown): LoamError =>
  new LoamError('DOWNLOAD', why, {
    suggestion: 'Check the connection and try again; models that are on this machine work without it.',
    retryable: true,
    underlying,
  })

async function refusal(response: Response, what: string, host: string): Promise<LoamError> {
  await response.body?.cancel()
  const { status, headers } = response
  if (status === 429) {
    const wait = Number(headers.get('retry-after') ?? '')
    return new LoamError('DOWNLOAD', `${host} was asked too often.`, {
      suggestion: wait > 0 ? `Try again in ${Math.ceil(wait)} s.` : 'Try again in a few minutes.',
      retryable: true,
    })
  }
  if (status === 404) return noRepo(what, host)
  if (status === 401 || status === 403)
    return new LoamError(
      'NOT_FOUND',
      `${host} has no ${what} that everybody may see: there is none, or it is closed.`,
      {
        suggestion:
          'Check the name. If its makers want terms accepted, accept them on its page and start Loam with your access token in HF_TOKEN.',
      },
    )
  return getError(`${host} answered ${status} to ${what}.`)
}

const noRepo = (what: string, host: string): LoamError =>
  new LoamError('NOT_FOUND', `${host} has no ${what}.`, { suggestion: 'Check the name, or search for it.' })
