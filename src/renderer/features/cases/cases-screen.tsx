import { Layers } from 'lucide-react'
import { useStore } from 'zustand'
import { optionsOf } from '../../components/options'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { Segmented } from '../../components/segmented'
import { Term } from '../../components/term'
import { RecordBrowser } from '../../ground/record-browser'
import { SpaceGate } from '../../ground/space-gate'
import { GoButton } from '../../ground/go-to'
import { useServices } from '../../stores/use-services'
import { CaseDetail } from './case-detail'
import { CaseFilterBar } from './case-filter-bar'
import { CaseList } from './case-list'
import { LandscapeView } from './landscape-view'
import { WorthView } from './worth-view'

const VIEWS = optionsOf({ case: 'One case', worth: 'Q and similarity', landscape: 'Q over time' })

/** The case bank of the open space: a searchable list and one case in full. */
export function CasesScreen() {
  const { cases, caseValues } = useServices()
  return (
    <SpaceGate icon={Layers} about="Cases live in a space." stores={[cases, caseValues]}>
      {() => <CaseBrowser />}
    </SpaceGate>
  )
}

function CaseBrowser() {
  const { cases, caseValues } = useServices()
  const list = useStore(cases)
  const view = useStore(caseValues, (state) => state.view)
  const { filters, open, spaceId } = list
  const filtered = filters.text.trim() !== '' || filters.reward !== null
  return (
    <RecordBrowser
      title="Cases"
      one="case"
      list={list}
      bar={<CaseFilterBar />}
      rows={<CaseList />}
      nothing={filtered ? <NoMatch /> : <NoCases />}
      openBar={
        <Segmented
          label="What to look at"
          value={view}
          options={VIEWS}
          onChange={(next) => caseValues.getState().look(next)}
        />
      }
      open={
        view === 'worth' ? (
          <WorthView key={spaceId} />
        ) : view === 'landscape' ? (
          <LandscapeView />
        ) : (
          open && <CaseDetail key={open.id} record={open} />
        )
      }
      invitation="Choose a case to see what was tried and what came of it."
    />
  )
}

function NoMatch() {
  const { cases } = useServices()
  return (
    <EmptyState
      icon={Layers}
      title="No case matches"
      action={
        <Button onClick={() => cases.getState().filter({ text: '', reward: null })}>Clear the search</Button>
      }
    >
      Try fewer words, or look for what is alike instead of for the very words.
    </EmptyState>
  )
}

function NoCases() {
  return (
    <EmptyState icon={Layers} title="No cases yet" action={<GoButton to="run">Go to Run</GoButton>}>
      A <Term name="case" /> is kept after every attempt of a run whose method remembers, such as the case
      bank.
    </EmptyState>
  )
}
