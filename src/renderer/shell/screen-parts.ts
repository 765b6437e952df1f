import { onDemand, type OnDemand } from '../ground/on-demand'
import type { ScreenId } from '../stores/ui'

/** What each screen is drawn by, in a script of its own. */
export const SCREEN_PARTS: Record<ScreenId, OnDemand<object>> = {
  ask: onDemand(async () => (await import('../features/ask/ask-screen')).AskScreen),
  run: onDemand(async () => (await import('../features/run/run-screen')).RunScreen),
  experiments: onDemand(
    async () => (await import('../features/experiments/experiments-screen')).ExperimentsScreen,
  ),
  curves: onDemand(async () => (await import('../features/curves/curves-screen')).CurvesScreen),
  memory: onDemand(async () => (await import('../features/memory/memory-screen')).MemoryScreen),
  guides: onDemand(async () => (await import('../features/guides/guides-screen')).GuidesScreen),
  consolidation: onDemand(
    async () => (await import('../features/soft-prompts/soft-prompts-screen')).SoftPromptsScreen,
  ),
  streams: onDemand(async () => (await import('../features/streams/streams-screen')).StreamsScreen),
  models: onDemand(async () => (await import('../features/models/models-screen')).ModelsScreen),
  programs: onDemand(async () => (await import('../features/programs/programs-screen')).ProgramsScreen),
  settings: onDemand(async () => (await import('../features/settings/settings-screen')).SettingsScreen),
  speed: onDemand(
    async () => (await import('../features/settings/model-settings-screen')).ModelSettingsScreen,
  ),
  storage: onDemand(async () => (await import('../features/settings/storage-screen')).StorageScreen),
  advanced: onDemand(async () => (await import('../features/settings/advanced-screen')).AdvancedScreen),
}

/** The dialogs in which files come into a memory and leave it. */
export const TRANSFER = onDemand(
  async () => (await import('../features/transfer/transfer-dialogs')).TransferDialogs,
)

/** The page of a quick ask. */
export const QUICK = onDemand(async () => (await import('../features/ask/quick-ask')).QuickAsk)
