import { Tooltip } from 'radix-ui'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { AskScreen } from '../features/ask/ask-screen'
import { SoftPromptsScreen } from '../features/soft-prompts/soft-prompts-screen'
import { ExperimentsScreen } from '../features/experiments/experiments-screen'
import { CurvesScreen } from '../features/curves/curves-screen'
import { HomeScreen } from '../features/home/home-screen'
import { ExportScreen } from '../features/export/export-screen'
import { GuidesScreen } from '../features/guides/guides-screen'
import { MemoryScreen } from '../features/memory/memory-screen'
import { ModelsScreen } from '../features/models/models-screen'
import { RunScreen } from '../features/run/run-screen'
import { SettingsScreen } from '../features/settings/settings-screen'
import { StreamsScreen } from '../features/streams/streams-screen'
import { TransferDialogs } from '../features/transfer/transfer-dialogs'
import type { ScreenId } from '../stores/ui'
import { useServices } from '../stores/use-services'
import { AskDialog } from './ask-dialog'
import { CommandPalette } from './command-palette'
import { ConnectionBanner } from './connection-banner'
import { MyMemoryNotice } from './my-memory-notice'
import { CrashGuard } from './crash-guard'
import { DropImport } from './drop-import'
import { MemoryTabs } from './memory-tabs'
import { PermissionPrompt } from './permission-prompt'
import { ShortcutsDialog } from './shortcuts-dialog'
import { Sidebar } from './sidebar'
import { StatusBar } from './status-bar'
import { showTheme } from './theme'
import { Toasts } from './toasts'
import { titleOf } from './screens'
import { Tour } from './tour'
import { TopBar } from './top-bar'
import { useKeptFocus } from './use-kept-focus'
import { useOpenedFiles } from './use-opened-files'
import { useSendKeys } from './use-send-keys'
import { useShortcuts } from './use-shortcuts'

/** The frame around every screen. */
export function AppShell() {
  const { ui, settings } = useServices()
  const screen = useStore(ui, (state) => state.screen)
  const theme = useStore(settings, (state) => state.settings?.theme ?? 'system')
  useEffect(() => showTheme(theme), [theme])
  useEffect(() => {
    document.title = screen === 'home' ? 'Loam' : `${titleOf(screen)} · Loam`
  }, [screen])
  useShortcuts()
  useSendKeys()
  useKeptFocus()
  useOpenedFiles()
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      <div className="flex h-full">
        <Sidebar />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar />
          <ConnectionBanner />
          {/* Said when the screen changes, for those who do not see it. */}
          <p aria-live="polite" className="sr-only">
            {titleOf(screen)}
          </p>
          <main className="flex min-h-0 flex-1 flex-col" aria-label={titleOf(screen)}>
            <MemoryTabs />
            {/* Another screen is another place: nothing of the last one moves there. */}
            <div key={screen} className="min-h-0 flex-1">
              <CrashGuard>
                <CurrentScreen screen={screen} />
              </CrashGuard>
            </div>
          </main>
          {/* Below what is read, so that nothing moves when it comes. */}
          <MyMemoryNotice />
          <StatusBar />
        </div>
      </div>
      <TransferDialogs />
      <DropImport />
      <AskDialog />
      <CommandPalette />
      <ShortcutsDialog />
      <PermissionPrompt />
      <Tour />
      <Toasts />
    </Tooltip.Provider>
  )
}

function CurrentScreen({ screen }: { screen: ScreenId }) {
  switch (screen) {
    case 'home':
      return <HomeScreen />
    case 'ask':
      return <AskScreen />
    case 'run':
      return <RunScreen />
    case 'experiments':
      return <ExperimentsScreen />
    case 'curves':
      return <CurvesScreen />
    case 'memory':
      return <MemoryScreen />
    case 'guides':
      return <GuidesScreen />
    case 'consolidation':
      return <SoftPromptsScreen />
    case 'streams':
      return <StreamsScreen />
    case 'models':
      return <ModelsScreen />
    case 'export':
      return <ExportScreen />
    case 'settings':
      return <SettingsScreen />
  }
}
