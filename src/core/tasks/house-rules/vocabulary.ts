/** A kind of table: its words. Rules (how those words are stored) are drawn per world and table. */
export interface TableKind {
  readonly table: string
  readonly id: string
  /** Column holding a person or company. */
  readonly who: string
  readonly status: string
  readonly amount: string
  readonly place: string
  readonly date: string
  /** Status words as people say them. */
  readonly statuses: readonly string[]
  /** Soft-delete column, when a world gives this table one. */
  readonly flag: string
}

/** Kinds of tables, a line each: `table: columns; statuses; flag`, with the columns in the order of `TableKind`. */
const kinds = (lines: string): TableKind[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [table = '', ...lists] = line.split(/[:;]/).map((part) => part.trim())
      const [columns = [], statuses = [], [flag = ''] = []] = lists.map((list) => list.split(' '))
      const [id = '', who = '', status = '', amount = '', place = '', date = ''] = columns
      return { table, id, who, status, amount, place, date, statuses, flag }
    })

/** Kinds that worlds are built from. */
export const TABLE_KINDS: readonly TableKind[] = kinds(`
  bookings: booking_id guest state price city booked_on; cancelled confirmed waiting refused moved; archived
  orders: order_id client stage total region placed_on; shipped packed refunded returned drafted; is_deleted
  invoices: invoice_id vendor status amount branch issued_on; paid overdue disputed credited billed; is_void
  tickets: ticket_id owner phase effort team opened_on; open solved blocked escalated reopened; hidden
  shipments: shipment_id carrier progress weight port sent_on; delivered lost held loaded rerouted; removed
  loans: loan_id member loan_state fee library due_on; borrowed reserved missing renewed damaged; retired
  claims: claim_id patient verdict payout clinic filed_on; approved denied appealed settled reviewed; purged
  repairs: repair_id device finding charge shop received_on; fixed scrapped waived quoted collected; dropped
  courses: course_id teacher mode tuition campus starts_on; full running planned merged ended; shut
  flights: flight_id pilot situation fuel airport leaves_on; boarding delayed landed diverted grounded; inactive
  rentals: rental_id driver standing deposit depot picked_on; issued late towed cleaned swapped; cleared
  visits: visit_id visitor label spend museum seen_on; guided private skipped repeated virtual; erased
  harvests: harvest_id grower grade yield valley cut_on; ripe spoiled dried pressed stored; disused
  matches: match_id captain outcome gate arena played_on; won drawn forfeited abandoned replayed; struck
`)

/** Kinds that never occur in the demo model's training text; used only to measure how far it generalises. */
export const HELD_OUT_KINDS: readonly TableKind[] = kinds(`
  permits: permit_id holder decision levy district granted_on; valid revoked expired pending amended; lapsed
  auctions: auction_id seller round bid hall held_on; sold withdrawn unsold reoffered sealed; scratched
  donations: donation_id donor channel gift chapter given_on; pledged received matched bounced earmarked; voided
  patrols: patrol_id ranger verdict_given distance park walked_on; quiet flooded burned trespassed logged; shelved
`)

export const PEOPLE: readonly string[] = [
  'Ada',
  'Ben',
  'Cleo',
  'Dina',
  'Eli',
  'Finn',
  'Gus',
  'Hana',
  'Ivo',
  'June',
  'Kai',
  'Lena',
  'Milo',
  'Nora',
  'Omar',
  'Pia',
  'Quinn',
  'Rosa',
  'Sven',
  'Tara',
  'Uma',
  'Vera',
  'Will',
  'Yara',
]

export const PLACES: readonly string[] = [
  'Oslo',
  'Lima',
  'Cairo',
  'Paris',
  'Delhi',
  'Quito',
  'Tokyo',
  'Rome',
  'Bern',
  'Accra',
  'Hanoi',
  'Perth',
  'Dakar',
  'Sofia',
  'Turin',
  'Osaka',
  'Malmo',
  'Porto',
  'Leeds',
  'Basel',
  'Tunis',
  'Davao',
  'Natal',
  'Cusco',
]

export const WORLD_NAMES: readonly string[] = [
  'Harbor',
  'Maple',
  'Summit',
  'Delta',
  'Cedar',
  'Granite',
  'Lagoon',
  'Meadow',
  'Orchid',
  'Prairie',
  'Quarry',
  'Raven',
  'Saffron',
  'Tundra',
  'Umber',
  'Violet',
  'Willow',
  'Zephyr',
  'Amber',
  'Birch',
  'Coral',
  'Dune',
  'Ember',
  'Fjord',
  'Glacier',
  'Hazel',
  'Indigo',
  'Juniper',
  'Karst',
  'Linden',
  'Mistral',
  'Nectar',
]
