import { z } from 'zod'
import { FITTED, rulesOf, type ClientRules } from '../../../core/verdict/client-rules'
import { EVIDENCE_WORDS, type EvidenceKind } from '../../../shared/domain/verdict'
import { createSerial } from '../../../shared/serial'
import { readRecord, writeRecord } from '../../ground/record-file'

/** Verdicts of one client that are remembered, the newest. */
const MOST_OF_CLIENT = 500

const KINDS = Object.keys(EVIDENCE_WORDS) as [EvidenceKind, ...EvidenceKind[]]
const fileSchema = z.object({
  format: z.literal(1),
  /** By client, oldest first: signs and outcome, no text. */
  clients: z.record(
    z.string(),
    z.array(z.object({ attempt: z.string(), kinds: z.array(z.enum(KINDS)), solved: z.boolean() })),
  ),
})

/** What a client said of an attempt, with the signs in what the person wrote next. */
export interface ClientVerdict {
  readonly attempt: string
  readonly kinds: readonly EvidenceKind[]
  readonly solved: boolean
}

/** The verdicts of the programs behind the gateway, and the rules that each is read by because of them. */
export type ClientVerdicts = Awaited<ReturnType<typeof openClientVerdicts>>

/** Opens those in a file; one that cannot be read is begun anew, and the fitted rules hold until there are thirty again. */
export async function openClientVerdicts(file: string) {
  const serial = createSerial()
  let { clients } = await readRecord(file, fileSchema, { format: 1, clients: {} })
  const rules = new Map<string, ClientRules>()
  return {
    /** What a client's attempts are read by: the fitted rules, until it has said thirty times how one ended. */
    rules(client: string): ClientRules {
      const own = rules.get(client) ?? rulesOf(clients[client] ?? [])
      rules.set(client, own)
      return own
    },
    /** Keeps a word; said again of the same attempt, the newest counts. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
    add: (client: string, { attempt, kinds, solved }: ClientVerdict): Promise<void> =>
      serial(async () => {
        const others = (clients[client] ?? []).filter((one) => one.attempt !== attempt)
        const own = [...others, { attempt, kinds: [...kinds], solved }].slice(-MOST_OF_CLIENT)
        const next = { ...clients, [client]: own }
        await writeRecord(file, { format: 1, clients: next })
        clients = next
        rules.delete(client)
      }),
  }
}

/** Where none are kept. */
export const NO_VERDICTS: Pick<ClientVerdicts, 'rules' | 'add'> = {
  rules: () => FITTED,
  add: () => Promise.resolve(),
}
