import type { MethodSettings } from '../../shared/domain/method-settings'

type Full = { readonly [Id in keyof MethodSettings]-?: Required<NonNullable<MethodSettings[Id]>> }

/** What the methods do unless told otherwise. */
export const DEFAULT_SETTINGS: Full = {
  'case-bank': { retrieval: 'semantic', solved: true, failed: true },
  evosc: { errorLessons: true, successLessons: true, attempts: true, capacity: 5, shown: 5, contrast: 2 },
  awm: { examples: 1, capacity: 64 },
  scm: {
    controller: true,
    flash: true,
    activation: true,
    summaries: true,
    summaryOver: 300,
    budget: 2500,
  },
  amem: { links: true, evolution: true, neighbours: 4 },
}

/** A method's settings, complete. */
export const settingsOf = <Id extends keyof Full>(id: Id, settings: MethodSettings): Full[Id] => ({
  ...DEFAULT_SETTINGS[id],
  ...settings[id],
})
