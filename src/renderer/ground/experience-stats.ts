import { kbStatsSchema, type KbStats } from '../../shared/domain/experience-view'
import type { LoamClient } from '../client-type'

/** The experiences of a memory in figures. */
export const readStats = async (client: LoamClient, memoryId: string): Promise<KbStats> =>
  kbStatsSchema.parse(await client.items.view({ memoryId, kind: 'experience', ability: 'stats' }))
