import { Verbatim } from '../../../../components/verbatim'

/** The dialog kept in a case, exactly as it is put into a prompt. Always plain text. */
export function PlanDialog({ plan }: { plan: string }) {
  return (
    <Verbatim label="Actions and observations" ground="rounded-lg border bg-canvas px-4 py-3">
      {plan}
    </Verbatim>
  )
}
