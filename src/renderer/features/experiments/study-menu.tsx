import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import type { Study } from '../../../shared/domain/experiment'
import { Button } from '../../components/button'
import { Menu, MenuItem } from '../../ground/menu'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'
import { SuiteDialog } from './suite/suite-dialog'

/** Fills the composer with one of the studies that come with Loam; a suite is asked for in a dialog of its own. */
export function StudyMenu() {
  const { client, experimentForm } = useServices()
  const [suite, setSuite] = useState<Study | null>(null)
  const { data: studies, problem } = useQuery('studies', () => client.experiments.templates())
  return (
    <>
      <Menu label="Studies" align="end" width="max-w-96" trigger={<Button icon={BookOpen}>Studies</Button>}>
        {problem ? <p className="p-2 text-sm text-danger">{problem.cause}</p> : null}
        {(studies ?? []).map(({ id, description, definition }) => (
          <MenuItem
            key={id}
            detail={description}
            onSelect={() =>
              definition.suite ? setSuite(definition) : experimentForm.getState().load(definition)
            }
          >
            {definition.name ?? id}
          </MenuItem>
        ))}
      </Menu>
      {suite ? <SuiteDialog definition={suite} onClose={() => setSuite(null)} /> : null}
    </>
  )
}
