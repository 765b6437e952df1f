import { z } from 'zod'

/** The least and the most that a number may be, both allowed. */
export type Bounds = readonly [min: number, max: number]

const ANY_NUMBER: Bounds = [0, 2 ** 31 - 1]

/** What a person may choose of a run and of what is built on runs. Forms, commands, files and requests all take these. */
export const BOUNDS = {
  /** K: items recalled for a task (Memento's K, "Exp" in EvoSC's tables); 0 recalls none. */
  k: [0, 64],
  /** Of sampling; 0 is greedy. */
  temperature: [0, 2],
  /** Of sampling: the likeliest tokens that together have this share are drawn from; 1 draws from all. */
  topP: [0.01, 1],
  /** Most tokens of a reply in a run. */
  maxTokens: [16, 4096],
  /** The same where a person asks for one thing. */
  askTokens: [16, 32_768],
  /** Tokens a model may read at once. */
  contextSize: [64, 16_777_216],
  /** Attempts that are decoded in one batch. */
  inFlight: [1, 16],
  seed: ANY_NUMBER,
  /** Tasks that are taken from the start of a stream. */
  tasks: [1, 1_000_000],
  /** Times a stream is worked through with the memory kept (Memento). */
  iterations: [1, 50],
  /** Passes over what is still unsolved (Agent KB). */
  passes: [1, 10],
  /** Tasks from the start that are tried once more at the end. */
  retest: [0, 1_000_000],
  /** Last tasks that only test. */
  test: [1, 1_000_000],
  /** The number a generated world is made from. */
  world: ANY_NUMBER,
  /** Tasks of a generated world. */
  worldTasks: [1, 2000],
  /** Orders of the tasks of a world. */
  orders: [1, 20],
  /** Results of a search. */
  results: [1, 100],
  /** Entries of a page of a list. */
  page: [1, 500],
  /** Tokens of a soft prompt (EvoSC: 20). */
  length: [1, 256],
  /** Steps of its training, at most. */
  steps: [1, 100_000],
  /** Solved tasks that the teacher reads (EvoSC's N_many), and the student (N_few). */
  teacher: [1, 256],
  student: [0, 256],
  /** Attempts it is trained on. */
  attempts: [2, 4096],
  /** Likeliest tokens of the teacher that are learned from. */
  topK: [1, 1024],
  /** Tasks it is tried on afterwards. */
  compared: [0, 2000],
  threads: [1, 256],
  engineProcesses: [1, 16],
  gpuCard: [0, 15],
  /** Minutes a day that methods are compared. */
  compareMinutes: [1, 240],
  /** A port of this machine; 0 takes any free one. */
  port: [0, 65_535],
  downloadsAtOnce: [1, 8],
  /** Seconds one call of a tool may take. */
  callSeconds: [1, 3600],
  /** US dollars per million tokens. */
  price: [0, 10_000],
  /** Tokens of what a proxy recalls into a request. */
  recallTokens: [0, 1_000_000],
} as const satisfies Record<string, Bounds>

/** A number within bounds. */
export const numberIn = ([min, max]: Bounds) => z.number().min(min).max(max)

/** A whole number within bounds. */
export const integerIn = ([min, max]: Bounds) => z.number().int().min(min).max(max)

/** What a preset or a variant of a method may set of a run; what is left out is left alone. */
export const runOverrides = {
  k: integerIn(BOUNDS.k).optional(),
  temperature: numberIn(BOUNDS.temperature).optional(),
  maxTokens: integerIn(BOUNDS.maxTokens).optional(),
  contextSize: integerIn(BOUNDS.contextSize).optional(),
}
