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

const kind = (
  table: string,
  columns: readonly [id: string, who: string, status: string, amount: string, place: string, date: string],
  statuses: readonly string[],
  flag: string,
): TableKind => ({
  table,
  id: columns[0],
  who: columns[1],
  status: columns[2],
  amount: columns[3],
  place: columns[4],
  date: columns[5],
  statuses,
  flag,
})

/** Kinds that worlds are built from. */
export const TABLE_KINDS: readonly TableKind[] = [
  kind(
    'bookings',
    ['booking_id', 'guest', 'state', 'price', 'city', 'booked_on'],
    ['cancelled', 'confirmed', 'waiting', 'refused', 'moved'],
    'archived',
  ),
  kind(
    'orders',
    ['order_id', 'client', 'stage', 'total', 'region', 'placed_on'],
    ['shipped', 'packed', 'refunded', 'returned', 'drafted'],
    'is_deleted',
  ),
  kind(
    'invoices',
    ['invoice_id', 'vendor', 'status', 'amount', 'branch', 'issued_on'],
    ['paid', 'overdue', 'disputed', 'credited', 'billed'],
    'is_void',
  ),
  kind(
    'tickets',
    ['ticket_id', 'owner', 'phase', 'effort', 'team', 'opened_on'],
    ['open', 'solved', 'blocked', 'escalated', 'reopened'],
    'hidden',
  ),
  kind(
    'shipments',
    ['shipment_id', 'carrier', 'progress', 'weight', 'port', 'sent_on'],
    ['delivered', 'lost', 'held', 'loaded', 'rerouted'],
    'removed',
  ),
  kind(
    'loans',
    ['loan_id', 'member', 'loan_state', 'fee', 'library', 'due_on'],
    ['borrowed', 'reserved', 'missing', 'renewed', 'damaged'],
    'retired',
  ),
  kind(
    'claims',
    ['claim_id', 'patient', 'verdict', 'payout', 'clinic', 'filed_on'],
    ['approved', 'denied', 'appealed', 'settled', 'reviewed'],
    'purged',
  ),
  kind(
    'repairs',
    ['repair_id', 'device', 'finding', 'charge', 'shop', 'received_on'],
    ['fixed', 'scrapped', 'waived', 'quoted', 'collected'],
    'dropped',
  ),
  kind(
    'courses',
    ['course_id', 'teacher', 'mode', 'tuition', 'campus', 'starts_on'],
    ['full', 'running', 'planned', 'merged', 'ended'],
    'shut',
  ),
  kind(
    'flights',
    ['flight_id', 'pilot', 'situation', 'fuel', 'airport', 'leaves_on'],
    ['boarding', 'delayed', 'landed', 'diverted', 'grounded'],
    'inactive',
  ),
  kind(
    'rentals',
    ['rental_id', 'driver', 'standing', 'deposit', 'depot', 'picked_on'],
    ['issued', 'late', 'towed', 'cleaned', 'swapped'],
    'cleared',
  ),
  kind(
    'visits',
    ['visit_id', 'visitor', 'label', 'spend', 'museum', 'seen_on'],
    ['guided', 'private', 'skipped', 'repeated', 'virtual'],
    'erased',
  ),
  kind(
    'harvests',
    ['harvest_id', 'grower', 'grade', 'yield', 'valley', 'cut_on'],
    ['ripe', 'spoiled', 'dried', 'pressed', 'stored'],
    'disused',
  ),
  kind(
    'matches',
    ['match_id', 'captain', 'outcome', 'gate', 'arena', 'played_on'],
    ['won', 'drawn', 'forfeited', 'abandoned', 'replayed'],
    'struck',
  ),
]

/** Kinds that never occur in the demo model's training text; used only to measure how far it generalises. */
export const HELD_OUT_KINDS: readonly TableKind[] = [
  kind(
    'permits',
    ['permit_id', 'holder', 'decision', 'levy', 'district', 'granted_on'],
    ['valid', 'revoked', 'expired', 'pending', 'amended'],
    'lapsed',
  ),
  kind(
    'auctions',
    ['auction_id', 'seller', 'round', 'bid', 'hall', 'held_on'],
    ['sold', 'withdrawn', 'unsold', 'reoffered', 'sealed'],
    'scratched',
  ),
  kind(
    'donations',
    ['donation_id', 'donor', 'channel', 'gift', 'chapter', 'given_on'],
    ['pledged', 'received', 'matched', 'bounced', 'earmarked'],
    'voided',
  ),
  kind(
    'patrols',
    ['patrol_id', 'ranger', 'verdict_given', 'distance', 'park', 'walked_on'],
    ['quiet', 'flooded', 'burned', 'trespassed', 'logged'],
    'shelved',
  ),
]

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
