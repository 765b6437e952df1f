import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import { curveViewSchema, type CurveChoices, type CurveView, type RunCurve } from '../../shared/domain/curve'
import type { LoamClient } from '../client-type'
import { createNewest, NOT_READ, readInto, type Reading } from './read-into'
import type { SettingsStore } from './settings'

/** The controls; what is chosen lives in the selection. */
export type CurveControls = Omit<CurveView, 'experimentIds' | 'runIds'>

/** A step of a run whose attempt is open beside the chart. */
export interface OpenAttempt {
  readonly seriesKey: string
  readonly runId: string
  /** Place in the run, from 0. */
  readonly index: number
}

/** `idle` until something was asked for. */
export interface CurvesData extends Reading {
  readonly controls: CurveControls
  readonly choices: CurveChoices | null
  readonly curves: readonly RunCurve[]
  /** The stretch of the axis on screen; null shows all of it. */
  readonly zoom: readonly [number, number] | null
  readonly open: OpenAttempt | null
}

const EVERY_MS = 2_000
const SAVE_AFTER_MS = 600
/** Changing one of these gives the axis another meaning, so an old stretch of it would show something else. */
const UNZOOMING: readonly (keyof CurveControls)[] = ['axis', 'join']

const { experimentIds: _experiments, runIds: _runs, ...DEFAULT_CONTROLS } = curveViewSchema.parse({})

/** The Learning curves screen: its controls, kept in the settings, and the curves of what is chosen. */
export function createCurvesStore(
  client: LoamClient,
  selection: CurveSelectionStore,
  settings: SettingsStore,
) {
  let restored = false
  let saving: ReturnType<typeof setTimeout> | null = null
  const newest = createNewest()

  const start: CurvesData = {
    controls: DEFAULT_CONTROLS,
    choices: null,
    curves: [],
    ...NOT_READ,
    zoom: null,
    open: null,
  }
  return createStore(
    combine(start, (set, get) => {
      const save = () => {
        if (saving) clearTimeout(saving)
        saving = setTimeout(() => {
          const { experimentIds, runIds } = selection.getState()
          const curves = { ...get().controls, experimentIds: [...experimentIds], runIds: [...runIds] }
          void settings.getState().save({ curves })
        }, SAVE_AFTER_MS)
      }

      /** Once, when the settings are here; later answers never overwrite what a person has changed since. */
      const restore = () => {
        const saved = settings.getState().settings?.curves
        if (restored || !saved) return
        restored = true
        const { experimentIds, runIds, ...controls } = saved
        set({ controls })
        const selectionState = selection.getState()
        if (selectionState.experimentIds.length + selectionState.runIds.length === 0)
          selectionState.select({ experimentIds, runIds })
      }

      async function reload() {
        const { experimentIds, runIds } = selection.getState()
        await readInto<CurvesData>(
          set,
          async () => {
            const [choices, curves] = await Promise.all([
              client.curves.choices(),
              client.curves.series({ experimentIds: [...experimentIds], runIds: [...runIds] }),
            ])
            return { choices, curves: keepUnchanged(get().curves, curves) }
          },
          newest(),
        )
      }

      return {
        change(change: Partial<CurveControls>) {
          // From here on the person's controls count, even if the settings arrive only now.
          restored = true
          const unzoom = UNZOOMING.some((key) => key in change && change[key] !== get().controls[key])
          set((state) => ({
            controls: { ...state.controls, ...change },
            zoom: unzoom ? null : state.zoom,
          }))
          save()
        },
        toggle(kind: 'experimentIds' | 'runIds', id: string) {
          const { select, experimentIds, runIds } = selection.getState()
          const ids = { experimentIds, runIds }
          const next = ids[kind].includes(id) ? ids[kind].filter((other) => other !== id) : [...ids[kind], id]
          select({ ...ids, [kind]: next })
        },
        zoomTo: (zoom: CurvesData['zoom']) => set({ zoom }),
        show: (open: OpenAttempt | null) => set({ open }),
        /** Reads choices and curves (again); what is on screen stays meanwhile. */
        reload,
        /** Reads at once and keeps reading while something that is shown goes on. Returns how to stop. */
        follow() {
          restore()
          void reload()
          const stops = [
            settings.subscribe(restore),
            selection.subscribe(() => {
              void reload()
              save()
            }),
          ]
          const timer = setInterval(() => {
            if (get().status === 'failed' || isGoing(get())) void reload()
          }, EVERY_MS)
          return () => {
            clearInterval(timer)
            for (const stop of stops) stop()
          }
        },
      }
    }),
  )
}

const isGoing = ({ curves, choices }: CurvesData): boolean =>
  [...curves, ...(choices?.experiments ?? []), ...(choices?.runs ?? [])].some(
    ({ status }) => status === 'running' || status === 'queued',
  )

/** Takes over what has not changed, so that nothing is computed or drawn again for it. */
function keepUnchanged(before: readonly RunCurve[], now: readonly RunCurve[]): readonly RunCurve[] {
  const knownMap = new Map(before.map((run) => [run.runId, run]))
  const selection = now.map((run) => {
    const old = knownMap.get(run.runId)
    return old && old.status === run.status && old.rewards === run.rewards ? old : run
  })
  const same = selection.length === before.length && selection.every((run, index) => run === before[index])
  return same ? before : selection
}

/** What the Learning curves screen shows: whole experiments and single runs. */
export interface CurveSelection {
  readonly experimentIds: readonly string[]
  readonly runIds: readonly string[]
}

/** The choice of experiments and runs, shared by the screens that link to the curves. */
export const createCurveSelectionStore = () =>
  createStore(
    combine({ experimentIds: [], runIds: [] } as CurveSelection, (set) => ({
      /** Replaces what is chosen. Other screens call it before they go to the curves. */
      select: ({ experimentIds, runIds }: CurveSelection) => set({ experimentIds, runIds }),
    })),
  )

type CurveSelectionStore = ReturnType<typeof createCurveSelectionStore>
