import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of one project after those of another, in the order of `PROJECTS`: a worker that finds none left of one begins with the next, and waits for nobody. */
export class ProjectsInTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rankOf(a) - rankOf(b))
  }
}

const PROJECTS = ['pure', 'window', 'real', 'late', 'alone']
const rankOf = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name)
