import type { MethodInfo, RunInfo } from '../../../shared/domain/run'
import type { StreamInfo } from '../../../shared/domain/task'
import { fileName } from '../../components/format'

/** `Case bank on House rules A`, from ids when the lists are not here yet. */
export function runTitle(
  run: RunInfo,
  methods: readonly MethodInfo[] | null,
  streams: readonly StreamInfo[] | null,
): string {
  const method = methods?.find((item) => item.id === run.config.method)?.title ?? run.config.method
  const stream = streams?.find((item) => item.id === run.config.stream)?.title ?? fileName(run.config.stream)
  return `${method} on ${stream}`
}
