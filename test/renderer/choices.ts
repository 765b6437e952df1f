import { methodInfo } from '../../src/core/ground/method'
import { findMethod } from '../../src/core/methods'
import type { MethodInfo } from '../../src/shared/domain/method'
import type { ModelInfo } from '../../src/shared/domain/model'
import { reading } from '../../src/shared/domain/reading'
import type { StreamInfo } from '../../src/shared/domain/task'

/** What a person can choose from, by the little that matters to a form. */
export const stream = (id: string, demo: boolean): StreamInfo => ({
  id,
  title: id,
  description: '',
  environment: 'lab-db',
  tasks: 120,
  skills: [],
  source: 'bundled',
  demo,
  reading: reading(0, []),
})
export const model = (path: string, demo: boolean, problem: string | null = null): ModelInfo => ({
  path,
  name: path,
  architecture: 'llama',
  sizeBytes: 1,
  trainContext: null,
  license: null,
  registryId: null,
  bundled: false,
  demo,
  problem,
})
export const method = (id: string, usesK = true): MethodInfo => ({
  ...methodInfo(findMethod(id)),
  title: `The ${id}`,
  description: '',
  source: '',
  usesK,
  defaultK: usesK ? 4 : 0,
})
