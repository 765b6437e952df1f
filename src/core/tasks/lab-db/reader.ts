import { lifelongEntries, type EnvironmentModule } from '../../ground/environment-module'
import { labDbEntrySchema } from './entry'

/** Database tasks, as LifelongAgentBench writes them. */
export const labDbReader: Pick<EnvironmentModule, 'recognises' | 'read'> = {
  recognises: (entry) => 'answer_info' in entry || 'table_info' in entry,
  read: lifelongEntries(labDbEntrySchema),
}
