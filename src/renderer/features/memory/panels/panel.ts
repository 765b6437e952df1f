import type { ReactNode } from 'react'
import type { ItemDetails } from '../../../../shared/domain/item'
import type { Part } from '../../../ground/detail-pane'

/** What the memory screen shows of one kind beside what it shows of every kind. */
export interface KindPanel {
  /** The kind's id. */
  readonly kind: string
  /** The first parts of an item, in the place of its text alone. Default: what an agent reads. */
  parts?(item: ItemDetails): readonly Part[]
  /** What stands on top of an item's origin. Default: nothing. */
  origin?(item: ItemDetails): ReactNode
  /** Other ways to look at the kind, beside one item; `View` stands in the place of the item. */
  readonly views?: readonly {
    readonly value: string
    readonly label: string
    readonly View: () => ReactNode
  }[]
  /** Work on the kind, above its list, whatever is listed. Default: nothing. */
  readonly Work?: (props: { readonly memoryId: string }) => ReactNode
}
