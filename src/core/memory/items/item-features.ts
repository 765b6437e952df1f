/**
 * Where an item comes from. `attempt`: an attempt of this memory. `person`: a person wrote it. `program`: another program handed it in
 * (`by`: its name). `elsewhere`: it came with an import; the attempt behind it is not in this memory.
 */
export interface ItemOrigin {
  readonly from: 'attempt' | 'person' | 'program' | 'elsewhere'
  /** Of a program its name, of an import the framework that made it; null where there is none. */
  readonly by: string | null
}

/**
 * What recall can know of an item before it knows the task. Counts are whole numbers from 0, times ISO. Everything but the texts is a
 * fold of the journal, so a memory made anew says the same.
 */
export interface ItemFeatures {
  readonly kind: string
  readonly id: string
  readonly environment: string
  readonly createdAt: string
  /** When a person last edited it; null when nobody did. */
  readonly editedAt: string | null
  /** Neither muted nor gone: what is not live is never recalled. */
  readonly live: boolean
  readonly pinned: boolean
  /** What of it is compared with a task: the task it is from where it is from one, else the text itself. */
  readonly key: string
  /** As an agent reads it, or as close to it as can be said without a task. */
  readonly text: string
  /** Of the attempt behind it; null where there is none. */
  readonly reward: 0 | 1 | null
  readonly origin: ItemOrigin
  /** Attempts it was shown to, those of them somebody could judge, and those of these that solved their task. */
  readonly recalled: number
  readonly judged: number
  readonly helped: number
  /** When it was last shown; null when it never was. */
  readonly lastAt: string | null
  /** Tokens it takes: as the last prompt had it, else estimated from its text. */
  readonly tokens: number
  readonly tokensMeasured: boolean
}
