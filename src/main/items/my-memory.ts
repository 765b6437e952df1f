import { join } from 'node:path'
import type { Clock } from '../../core/ground/ports'
import { MY_MEMORY, type MemoryInfo } from '../../shared/domain/memory-info'
import type { MyMemoryInfo } from '../../shared/domain/take'
import { rm } from '../ground/steady-files'
import type { DataFolder } from '../host/data-folder'
import type { Memories } from '../memories/memories'
import { createTakes, type Takes } from './take-memory'

/** A person's one lasting memory: what is known of it, what they still have to say about it, and what is taken into it. */
export interface MyMemoryArea extends Takes {
  info(): Promise<MyMemoryInfo>
  /**
   * Answers which memory is the person's own. What was learned meanwhile in the one that was made for them is taken into it.
   * @throws LoamError `CONFLICT` where nothing is to be decided, `BAD_INPUT` for a memory that is not in question
   */
  decide(memoryId: string): Promise<MyMemoryInfo>
  /** Offers a memory no longer. */
  dropOffer(memoryId: string): Promise<MyMemoryInfo>
}

/** What the memory is called that was made until a person had decided. */
const MEANWHILE = 'Until My memory was chosen'

/** Creates it. */
export function createMyMemory(data: DataFolder, memories: Memories, clock: Clock): MyMemoryArea {
  const takes = createTakes(join(data.path, 'takes'), memories, clock)
  const info = async (): Promise<MyMemoryInfo> => {
    const { candidates, lost, offers } = data.myMemory.record()
    const all = await memories.list()
    const among = (ids: readonly string[]): MemoryInfo[] => all.filter(({ id }) => ids.includes(id))
    return {
      memory: all.find(({ role }) => role === 'mine') ?? (await data.memories.info(MY_MEMORY)),
      ...{ candidates: among(candidates), lost, offers: among(offers) },
    }
  }
  return {
    ...takes,
    info,
    async take(input) {
      const claim = await takes.take(input)
      await data.myMemory.dropOffer(claim.from)
      return claim
    },
    async decide(memoryId) {
      const before = data.myMemory.id()
      await data.myMemory.decide(memoryId)
      if (before === data.myMemory.id()) return info()
      const { trajectories } = await data.memories.info(before)
      const claim = await takes.take({ from: before, kinds: null, items: null, project: null })
      if (claim.items.length === 0 && trajectories === 0) {
        await data.memories.release(before)
        await rm(data.memories.folder(before), { recursive: true, force: true })
      } else await data.memories.rename(before, MEANWHILE)
      return info()
    },
    async dropOffer(memoryId) {
      await data.myMemory.dropOffer(memoryId)
      return info()
    },
  }
}
