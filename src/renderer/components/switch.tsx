import { Switch as Primitive } from 'radix-ui'

/** Turns one thing on or off. */
export function Switch(props: {
  id?: string
  label: string
  checked: boolean
  onChange(isChecked: boolean): void
}) {
  return (
    <Primitive.Root
      id={props.id}
      aria-label={props.label}
      checked={props.checked}
      onCheckedChange={props.onChange}
      className="relative h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors duration-100 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Primitive.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-line-strong transition-transform duration-100 data-[state=checked]:translate-x-[18px] data-[state=checked]:bg-accent-ink" />
    </Primitive.Root>
  )
}
