import { searchSettingsSchema } from '../../../shared/domain/guide-search'
import { defineSettings } from '../../ground/settings'

/** BREW's search; the record of a build keeps the same settings, complete. */
export const SETTINGS = defineSettings('brew', 'Concept documents', searchSettingsSchema.shape)
