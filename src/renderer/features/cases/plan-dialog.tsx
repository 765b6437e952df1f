/** The dialog kept in a case, exactly as it is put into a prompt. Always plain text. */
export function PlanDialog({ plan }: { plan: string }) {
  return (
    <pre
      aria-label="Actions and observations"
      className="rounded-lg border bg-canvas px-4 py-3 text-xs leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      {plan}
    </pre>
  )
}
