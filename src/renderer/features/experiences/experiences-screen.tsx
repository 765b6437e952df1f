import { FileInput, Lightbulb } from 'lucide-react'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { DialogButton } from '../../components/dialog-button'
import { EmptyState } from '../../components/empty-state'
import { Term } from '../../components/term'
import { RecordBrowser } from '../../ground/record-browser'
import { SpaceGate } from '../../ground/space-gate'
import { NO_FILTERS } from '../../stores/experiences'
import { useServices } from '../../stores/use-services'
import { ExperienceDetail } from './experience-detail'
import { ExperienceFilterBar } from './experience-filter-bar'
import { ExperienceList } from './experience-list'
import { ImportDialog } from './import-dialog'
import { KbWork } from './kb-work'

/** What agents of any framework learned, in the open space: a searchable list and one experience in full. */
export function ExperiencesScreen() {
  const { experiences } = useServices()
  return (
    <SpaceGate icon={Lightbulb} about="Experiences live in a space." stores={[experiences]}>
      {(spaceId) => <Browser spaceId={spaceId} />}
    </SpaceGate>
  )
}

function Browser({ spaceId }: { spaceId: string }) {
  const { experiences } = useServices()
  const list = useStore(experiences)
  const { filters, open } = list
  return (
    <RecordBrowser
      title="Experiences"
      one="experience"
      list={list}
      action={
        <DialogButton
          look="primary"
          icon={FileInput}
          dialog={(close) => <ImportDialog spaceId={spaceId} onClose={close} />}
        >
          Import logs
        </DialogButton>
      }
      bar={
        <>
          <ExperienceFilterBar />
          <KbWork spaceId={spaceId} />
        </>
      }
      rows={<ExperienceList />}
      nothing={<Nothing filtered={isFiltered(filters)} trash={filters.show === 'trash'} />}
      open={open && <ExperienceDetail key={open.experience.id} detail={open} />}
      invitation="Choose an experience to see what was learned and where it came from."
    />
  )
}

const isFiltered = ({ text, show, framework, domain, outcome }: typeof NO_FILTERS): boolean =>
  text.trim() !== '' || show !== 'live' || framework !== null || domain !== null || outcome !== null

function Nothing({ filtered, trash }: { filtered: boolean; trash: boolean }) {
  const { experiences } = useServices()
  if (filtered)
    return (
      <EmptyState
        icon={Lightbulb}
        title={trash ? 'The trash is empty' : 'Nothing matches'}
        action={
          <Button onClick={() => experiences.getState().filter(NO_FILTERS)}>Show all that are in use</Button>
        }
      />
    )
  return (
    <EmptyState icon={Lightbulb} title="No experiences yet">
      An <Term name="experience" /> comes from the log of another agent, from a run of the method “Agent KB”,
      or from a program that hands it in. Import a log to begin.
    </EmptyState>
  )
}
