import { ChartSpline, Plus } from '../../components/icons'
import { useEffect, useRef, type RefObject } from 'react'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { IconButton } from '../../components/icon-button'
import { Loading } from '../../components/loading'
import { onDemand, warmWhileIdle } from '../../ground/on-demand'
import { useTypedAhead } from '../../ground/keys'
import { SearchField } from '../../ground/search-field'
import { useOpenInView } from '../../ground/use-open-in-view'
import { ARCHIVE, OWN_CURVE } from '../../stores/asks'
import { useServices, useStored } from '../../stores/use-services'
import { AskList } from './ask-list'
import { Composer } from './composer'
import { ProjectBar } from './project-bar'

/** What an open ask is drawn by, Markdown with all that it needs among it: a new ask is there without. */
const ASK_VIEW = onDemand(async () => (await import('./ask-view')).AskView)
const CURVE_VIEW = onDemand(async () => (await import('./curve-view')).CurveView)

/** Everyday work: past asks at the left, a new one or an open one beside them. */
export function AskScreen() {
  const { asks, tools, memories } = useServices()
  const text = useStored('asks', (state) => state.text)
  const openId = useStored('asks', (state) => state.openId)
  const problem = useStored('asks', (state) => state.problem)
  const folder = useStored('asks', (state) => state.folder)
  useEffect(() => {
    for (const store of [asks, tools]) void store.getState().load()
    void memories.getState().reload()
    void warmWhileIdle([ASK_VIEW, CURVE_VIEW])
  }, [asks, tools, memories])
  useKeptDrafts()
  const { pane, heard } = useOpenInView(openId)
  const list = useOpenedElsewhere(openId, pane)
  return (
    <div className="flex h-full max-[700px]:flex-col max-[700px]:overflow-y-auto">
      <section
        ref={list}
        aria-label="Asks"
        className="flex w-70 shrink-0 flex-col border-r max-[1100px]:w-56 max-[700px]:max-h-56 max-[700px]:w-full max-[700px]:border-r-0 max-[700px]:border-b print:hidden"
      >
        <header className="flex flex-col gap-2 p-3">
          <div className="flex items-center justify-between gap-2">
            <h1 className="font-semibold">Ask</h1>
            <span className="flex items-center gap-1">
              <IconButton
                icon={ChartSpline}
                label="Your curve"
                aria-pressed={openId === OWN_CURVE}
                className={openId === OWN_CURVE ? 'bg-accent-soft text-accent' : ''}
                onClick={() => asks.getState().open(openId === OWN_CURVE ? null : OWN_CURVE)}
              />
              <Button
                size="small"
                icon={Plus}
                onClick={() => asks.getState().begin(folder === ARCHIVE ? null : folder)}
              >
                New ask
              </Button>
            </span>
          </div>
          <div className="flex">
            <SearchField
              label="Search asks"
              value={text}
              onChange={(value) => asks.getState().search(value)}
            />
          </div>
          <ProjectBar />
        </header>
        {problem ? (
          <ErrorNotice
            className="m-3"
            problem={problem}
            alwaysRetry
            onRetry={() => void asks.getState().load()}
          />
        ) : (
          <div className="flex min-h-0 flex-1 flex-col" {...heard}>
            <AskList />
          </div>
        )}
      </section>
      <section
        ref={pane}
        aria-label={openId === null ? 'A new ask' : openId === OWN_CURVE ? 'Your curve' : 'The open ask'}
        className="min-w-0 flex-1 bg-surface max-[700px]:h-full max-[700px]:flex-none"
      >
        {openId === null ? (
          <Composer />
        ) : openId === OWN_CURVE ? (
          <CURVE_VIEW.Part />
        ) : (
          <Opened openId={openId} />
        )}
      </section>
    </div>
  )
}

/** Drafts are kept when this window goes. */
function useKeptDrafts(): void {
  const { asks } = useServices()
  useEffect(() => {
    const leave = () => asks.getState().keepDrafts()
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [asks])
}

/** What is opened from elsewhere comes into view too: only whoever moves through the list stays there. */
function useOpenedElsewhere(openId: string | null, pane: RefObject<HTMLElement | null>) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    if (openId !== null && list.current?.contains(document.activeElement) === false)
      pane.current?.scrollIntoView({ block: 'nearest' })
  }, [openId, pane])
  return list
}

/** What is typed meanwhile begins the next message. */
function Opening({ askId }: { askId: string }) {
  const { asks } = useServices()
  useTypedAhead((typed) => {
    const { replies, writeReply } = asks.getState()
    writeReply(askId, { text: `${replies[askId]?.text ?? ''}${typed}`, isAhead: true })
  })
  return <Loading what="the ask" />
}

function Opened({ openId }: { openId: string }) {
  const { asks } = useServices()
  const detail = useStored('asks', (state) => state.detail)
  const problem = useStored('asks', (state) => state.detailProblem)
  if (detail) return <ASK_VIEW.Part key={detail.ask.id} detail={detail} />
  if (!problem) return <Opening key={openId} askId={openId} />
  return (
    <ErrorNotice
      className="m-6"
      problem={problem}
      action={<Button onClick={() => asks.getState().begin(null)}>Ask something new</Button>}
    />
  )
}
