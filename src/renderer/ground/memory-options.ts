import type { MemoryInfo } from '../../shared/domain/memory-info'
import { plural } from '../components/format'
import { nameOfMemory } from '../stores/memories'
import type { MenuChoice } from './menu'

/** Memories to choose from, each with how much is in it. */
export const memoryOptions = (
  memories: readonly MemoryInfo[],
  detail: (memory: MemoryInfo) => string = ({ cases }) => plural(cases, 'case'),
): MenuChoice<string>[] =>
  memories.map((memory) => ({ value: memory.id, label: nameOfMemory(memory), detail: detail(memory) }))
