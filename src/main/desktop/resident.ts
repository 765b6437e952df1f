import type { DesktopSettings } from '../../shared/domain/desktop'

/** A sign beside the clock. */
export interface TraySign {
  destroy(): void
}

/** What is needed of Electron to follow the desktop settings. */
export interface ResidentOptions {
  readonly makeTray: () => TraySign
  readonly shortcuts: {
    /** Answers whether nobody else has these keys. */
    register(keys: string, press: () => void): boolean
    unregister(keys: string): void
  }
  readonly quickAsk: () => void
  readonly checkSpelling: (on: boolean) => void
  /** Told keys that another program has. */
  readonly taken: (keys: string) => void
}

/** What stays of Loam beside its window: a sign beside the clock and a shortcut, as the settings say. Both are off at first. */
export type Resident = ReturnType<typeof createResident>

/** Creates it; nothing is there before the first `follow`. */
export function createResident({
  makeTray,
  shortcuts,
  quickAsk,
  checkSpelling,
  taken: onTaken,
}: ResidentOptions) {
  let sign: TraySign | null = null
  let keys: string | null = null
  let spelling: boolean | null = null
  return {
    follow(settings: DesktopSettings): void {
      if (settings.tray) sign ??= makeTray()
      else {
        sign?.destroy()
        sign = null
      }
      if (settings.quickAsk !== keys) {
        if (keys !== null) shortcuts.unregister(keys)
        keys = settings.quickAsk
        if (keys !== null && !shortcuts.register(keys, quickAsk)) onTaken(keys)
      }
      if (settings.spelling !== spelling) {
        spelling = settings.spelling
        checkSpelling(spelling)
      }
    },
    /** Whether Loam goes on when its window is closed. */
    stays: (): boolean => sign !== null,
  }
}
