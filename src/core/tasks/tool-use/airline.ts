import { z } from 'zod'
import { uniformFields } from '../../ground/uniform-fields'
import { COMMON_TOOLS } from './common-tools'
import { defineTool, expectValue, refuseUnless, toolOn, toolSet, type ToolSet } from './tool'

const cabinSchema = z.enum(['basic_economy', 'economy', 'business'])
const perCabin = z.partialRecord(cabinSchema, z.number())

const passengerSchema = z.looseObject(uniformFields(z.string(), 'first_name', 'last_name', 'dob'))
const paymentSchema = z.object({ payment_id: z.string(), amount: z.number() })

const reservationSchema = z.looseObject({
  ...uniformFields(z.string(), 'reservation_id', 'user_id', 'origin', 'destination'),
  flight_type: z.enum(['one_way', 'round_trip']),
  cabin: cabinSchema,
  flights: z.array(
    z.looseObject({
      ...uniformFields(z.string(), 'flight_number', 'origin', 'destination', 'date'),
      price: z.number(),
    }),
  ),
  passengers: z.array(passengerSchema),
  payment_history: z.array(paymentSchema),
  created_at: z.string(),
  ...uniformFields(z.number(), 'total_baggages', 'nonfree_baggages'),
  insurance: z.enum(['yes', 'no']),
  status: z.string().nullish(),
})

/** The airline database in tau2-bench's form; what is in it besides is kept. */
const airlineDbSchema = z.looseObject({
  flights: z.record(
    z.string(),
    z.looseObject({
      ...uniformFields(z.string(), 'flight_number', 'origin', 'destination'),
      ...uniformFields(z.string(), 'scheduled_departure_time_est', 'scheduled_arrival_time_est'),
      dates: z.record(
        z.string(),
        z.looseObject({
          status: z.string(),
          available_seats: perCabin.optional(),
          prices: perCabin.optional(),
        }),
      ),
    }),
  ),
  users: z.record(
    z.string(),
    z.looseObject({
      user_id: z.string(),
      payment_methods: z.record(
        z.string(),
        z.looseObject({
          source: z.enum(['credit_card', 'gift_card', 'certificate']),
          id: z.string(),
          /** Of gift cards and certificates only. */
          amount: z.number().optional(),
        }),
      ),
      reservations: z.array(z.string()),
    }),
  ),
  reservations: z.record(z.string(), reservationSchema),
})
type AirlineDb = z.infer<typeof airlineDbSchema>
type Reservation = z.infer<typeof reservationSchema>
type Cabin = z.infer<typeof cabinSchema>

/** When bookings are made, as the benchmark's tools have it: the databases live at this moment. */
const AIRLINE_NOW = '2024-05-15T15:00:00'
const NEW_RESERVATIONS = ['HATHAT', 'HATHAU', 'HATHAV'] as const
const NEW_CERTIFICATES = ['certificate_3221322', 'certificate_3221323', 'certificate_3221324'] as const
const BAG_PRICE = 50
const INSURANCE_PRICE = 30

const AIRPORTS: Readonly<Record<string, string>> = {
  SFO: 'San Francisco',
  JFK: 'New York',
  LAX: 'Los Angeles',
  ORD: 'Chicago',
  DFW: 'Dallas',
  DEN: 'Denver',
  SEA: 'Seattle',
  ATL: 'Atlanta',
  MIA: 'Miami',
  BOS: 'Boston',
  PHX: 'Phoenix',
  IAH: 'Houston',
  LAS: 'Las Vegas',
  MCO: 'Orlando',
  EWR: 'Newark',
  CLT: 'Charlotte',
  MSP: 'Minneapolis',
  DTW: 'Detroit',
  PHL: 'Philadelphia',
  LGA: 'LaGuardia',
}

const userOf = (db: AirlineDb, id: string) => expectValue(db.users[id], `User ${id} not found`)
const reservationOf = (db: AirlineDb, id: string): Reservation =>
  expectValue(db.reservations[id], `Reservation ${id} not found`)

const datedFlight = (db: AirlineDb, number: string, date: string) => {
  const flight = expectValue(db.flights[number], `Flight ${number} not found`)
  return { flight, day: expectValue(flight.dates[date], `Flight ${number} not found on date ${date}`) }
}

/** A flight with enough free seats, as a segment of a reservation. */
function segmentOf(
  db: AirlineDb,
  target: { flight_number: string; date: string },
  cabin: Cabin,
  seats: number,
) {
  const { flight, day } = datedFlight(db, target.flight_number, target.date)
  const { available_seats, prices } = day
  const name = `Flight ${target.flight_number}`
  refuseUnless(
    day.status === 'available' && available_seats !== undefined && prices !== undefined,
    `${name} is not available on date ${target.date}`,
  )
  refuseUnless((available_seats[cabin] ?? 0) >= seats, `Not enough seats on ${name.toLowerCase()}`)
  const { origin, destination, flight_number } = flight
  return {
    segment: { origin, destination, flight_number, date: target.date, price: prices[cabin] ?? 0 },
    available_seats,
  }
}

/** Pays for a change of a reservation, or is refunded when the amount is negative. */
function payForChange(db: AirlineDb, reservation: Reservation, paymentId: string, amount: number): void {
  const { user_id, payment_history } = reservation
  const method = expectValue(userOf(db, user_id).payment_methods[paymentId], 'Payment method not found')
  refuseUnless(method.source !== 'certificate', 'A certificate cannot pay for a change')
  if (method.source === 'gift_card') {
    refuseUnless((method.amount ?? 0) >= amount, 'The gift card balance does not cover it')
    method.amount = (method.amount ?? 0) - amount
  }
  if (amount !== 0) payment_history.push({ payment_id: paymentId, amount })
}

function directFlights(
  db: AirlineDb,
  date: string,
  target: { origin?: string; destination?: string; after?: string },
) {
  return Object.values(db.flights).flatMap(({ dates, ...flight }) => {
    const day = dates[date]
    const fits =
      day?.status === 'available' &&
      (target.origin === undefined || flight.origin === target.origin) &&
      (target.destination === undefined || flight.destination === target.destination) &&
      (target.after === undefined || flight.scheduled_departure_time_est >= target.after)
    return fits ? [{ ...flight, ...day, date }] : []
  })
}

const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

const reservationId = z.string().describe("Such as 'ZFA04Y'")
const flightArgs = z
  .array(z.object({ flight_number: z.string(), date: z.string().describe('YYYY-MM-DD') }))
  .min(1)
const passengerArgs = z.array(
  z.object({ first_name: z.string(), last_name: z.string(), dob: z.string().describe('YYYY-MM-DD') }),
)
const bags = z.number().int().min(0)
const searchArgs = {
  origin: z.string().describe('Airport, three letters'),
  destination: z.string().describe('Airport, three letters'),
  date: z.string().describe('YYYY-MM-DD'),
}

const onUser = toolOn({ user_id: z.string() }, (db: AirlineDb, { user_id }) => userOf(db, user_id))
const onReservation = toolOn({ reservation_id: reservationId }, (db: AirlineDb, { reservation_id }) =>
  reservationOf(db, reservation_id),
)

/** Our versions of tau2-bench's airline tools: the same names, arguments, pre-conditions and effects. Policies are the agent's to keep. */
export const AIRLINE: ToolSet = toolSet({
  agent: {
    schema: airlineDbSchema,
    tools: [
      ...COMMON_TOOLS,
      onUser({
        name: 'get_user_details',
        description: 'A user: name, membership, payment methods, reservations.',
      }),
      onReservation({
        name: 'get_reservation_details',
        description: 'A reservation: flights, passengers, bags, insurance, payments.',
      }),
      defineTool({
        name: 'get_flight_status',
        description: 'Whether a flight is available, flying, landed, delayed or cancelled on a date.',
        args: { flight_number: z.string(), date: z.string().describe('YYYY-MM-DD') },
        call: (db: AirlineDb, { flight_number, date }) => datedFlight(db, flight_number, date).day.status,
      }),
      defineTool({
        name: 'list_all_airports',
        description: 'All airports with their cities.',
        args: {},
        call: () => Object.entries(AIRPORTS).map(([iata, city]) => ({ iata, city })),
      }),
      defineTool({
        name: 'search_direct_flight',
        description: 'Direct flights between two airports on a date, with free seats and prices per cabin.',
        args: searchArgs,
        call: (db: AirlineDb, { origin, destination, date }) =>
          directFlights(db, date, { origin, destination }),
      }),
      defineTool({
        name: 'search_onestop_flight',
        description: 'Pairs of flights with one stop between two airports, departing on a date.',
        args: searchArgs,
        call: (db: AirlineDb, { origin, destination, date }) =>
          directFlights(db, date, { origin }).flatMap((first) => {
            const arrival = first.scheduled_arrival_time_est
            const day = arrival.includes('+1') ? nextDay(date) : date
            return directFlights(db, day, { origin: first.destination, destination, after: arrival }).map(
              (second) => [first, second],
            )
          }),
      }),
      defineTool({
        name: 'book_reservation',
        description: `Book flights. Payments must add up to the price: the flights' for each passenger, ${INSURANCE_PRICE} per passenger for insurance, ${BAG_PRICE} per bag that is not free.`,
        writes: true,
        args: {
          user_id: z.string(),
          origin: z.string(),
          destination: z.string(),
          flight_type: z.enum(['one_way', 'round_trip']),
          cabin: cabinSchema,
          flights: flightArgs,
          passengers: passengerArgs.min(1),
          payment_methods: z.array(z.object({ payment_id: z.string(), amount: z.number() })),
          total_baggages: bags,
          nonfree_baggages: bags,
          insurance: z.enum(['yes', 'no']),
        },
        call: (db: AirlineDb, { user_id, flights, payment_methods, ...booking }) => {
          const user = userOf(db, user_id)
          const { cabin, passengers } = booking
          const id = expectValue(
            NEW_RESERVATIONS.find((each) => db.reservations[each] === undefined),
            'Too many reservations',
          )
          const segments = flights.map((flight) => segmentOf(db, flight, cabin, passengers.length))
          const perPassenger =
            segments.reduce((sum, { segment }) => sum + segment.price, 0) +
            (booking.insurance === 'yes' ? INSURANCE_PRICE : 0)
          const total = perPassenger * passengers.length + BAG_PRICE * booking.nonfree_baggages
          const methods = payment_methods.map(({ payment_id, amount }) => {
            const method = expectValue(
              user.payment_methods[payment_id],
              `Payment method ${payment_id} not found`,
            )
            refuseUnless(
              method.source === 'credit_card' || (method.amount ?? 0) >= amount,
              `Not enough balance in payment method ${payment_id}`,
            )
            return { method, amount }
          })
          const paidCount = methods.reduce((sum, { amount }) => sum + amount, 0)
          refuseUnless(
            paidCount === total,
            `The payments do not add up: the price is ${total}, paid is ${paidCount}`,
          )
          for (const { method, amount } of methods) {
            if (method.source === 'gift_card') method.amount = (method.amount ?? 0) - amount
            if (method.source === 'certificate') Reflect.deleteProperty(user.payment_methods, method.id)
          }
          for (const { available_seats } of segments) {
            available_seats[cabin] = (available_seats[cabin] ?? 0) - passengers.length
          }
          const reservation: Reservation = {
            ...booking,
            reservation_id: id,
            user_id,
            flights: segments.map(({ segment }) => segment),
            payment_history: payment_methods,
            created_at: AIRLINE_NOW,
          }
          db.reservations[id] = reservation
          user.reservations.push(id)
          return reservation
        },
      }),
      onReservation({
        name: 'cancel_reservation',
        description: 'Cancel a whole reservation and refund what was paid for it.',
        change: (reservation) => {
          const refunds = reservation.payment_history.map(({ payment_id, amount }) => ({
            payment_id,
            amount: -amount,
          }))
          reservation.payment_history.push(...refunds)
          reservation.status = 'cancelled'
        },
      }),
      onReservation({
        name: 'update_reservation_flights',
        description: 'Change flights or cabin of a reservation. List all its flights, those that stay too.',
        args: {
          cabin: cabinSchema,
          flights: flightArgs,
          payment_id: z.string(),
        },
        change: (reservation, { cabin, flights, payment_id }, db) => {
          const seats = reservation.passengers.length
          const segments = flights.map((target) => {
            const selection = reservation.flights.find(
              (flight) =>
                cabin === reservation.cabin &&
                flight.flight_number === target.flight_number &&
                flight.date === target.date,
            )
            return selection ?? segmentOf(db, target, cabin, seats).segment
          })
          const price = (parts: Reservation['flights']): number =>
            parts.reduce((sum, flight) => sum + flight.price, 0) * seats
          const due = price(segments) - price(reservation.flights)
          payForChange(db, reservation, payment_id, due)
          reservation.flights = segments
          reservation.cabin = cabin
        },
      }),
      onReservation({
        name: 'update_reservation_baggages',
        description: `Change the bags of a reservation; each further one that is not free costs ${BAG_PRICE}.`,
        args: {
          total_baggages: bags,
          nonfree_baggages: bags,
          payment_id: z.string(),
        },
        change: (reservation, { total_baggages, nonfree_baggages, payment_id }, db) => {
          const due = BAG_PRICE * Math.max(0, nonfree_baggages - reservation.nonfree_baggages)
          payForChange(db, reservation, payment_id, due)
          Object.assign(reservation, { total_baggages, nonfree_baggages })
        },
      }),
      onReservation({
        name: 'update_reservation_passengers',
        description: 'Correct the passengers of a reservation; their number stays.',
        args: { passengers: passengerArgs },
        change: (reservation, { passengers }) => {
          refuseUnless(
            passengers.length === reservation.passengers.length,
            'The number of passengers cannot be changed',
          )
          reservation.passengers = passengers
        },
      }),
      onUser({
        name: 'send_certificate',
        description: 'Give a user a certificate, as a compensation the policy allows.',
        args: { amount: z.number().positive() },
        change: ({ payment_methods }, { user_id, amount }) => {
          const id = expectValue(
            NEW_CERTIFICATES.find((each) => payment_methods[each] === undefined),
            'Too many certificates',
          )
          payment_methods[id] = { source: 'certificate', id, amount }
          return `Certificate ${id} of ${amount} added to user ${user_id}`
        },
      }),
    ],
  },
})
