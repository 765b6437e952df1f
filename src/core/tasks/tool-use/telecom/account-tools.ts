import { z } from 'zod'
import { COMMON_TOOLS, TRANSFER } from '../common-tools'
import { cents, defineTool, expectValue, refuseUnless, toolOn, type DomainTool } from '../tool'
import { BILL, LINE, TODAY, type Accounts, type Line, type Plan } from './database'

/** The row with an id. `what` it is, for the refusal. @throws Refusal when there is none */
export const withId = <Key extends string, Row extends Readonly<Record<Key, string>>>(
  what: string,
  rows: readonly Row[],
  key: Key,
  id: string,
): Row =>
  expectValue(
    rows.find((row) => row[key] === id),
    `${what} ${id} not found`,
  )

const customerOf = (db: Accounts, id: string) => withId('Customer', db.customers, 'customer_id', id)

/** Refuses what is not among a customer's own. */
const refuseUnlessOwn = (what: string, own: readonly string[], id: string, customerId: string): void =>
  refuseUnless(own.includes(id), `${what} ${id} is not one of customer ${customerId}`)

/** A line of a customer. @throws Refusal when there is none */
export function lineOf(db: Accounts, customerId: string, lineId: string): Line {
  refuseUnlessOwn('Line', customerOf(db, customerId).line_ids, lineId, customerId)
  return withId('Line', db.lines, 'line_id', lineId)
}

/** @throws Refusal when there is none */
export const planOf = (db: Accounts, id: string): Plan => withId('Plan', db.plans, 'plan_id', id)

function billOf(db: Accounts, customerId: string, billId: string) {
  refuseUnlessOwn('Bill', customerOf(db, customerId).bill_ids, billId, customerId)
  return withId('Bill', db.bills, 'bill_id', billId)
}

const customerId = z.string().describe("Such as 'C1001'")
const lineId = z.string().describe("Such as 'L1001'")
const lineArgs = { customer_id: customerId, line_id: lineId }

const onCustomer = toolOn({ customer_id: customerId }, (db: Accounts, { customer_id }) =>
  customerOf(db, customer_id),
)
const onLine = toolOn(lineArgs, (db: Accounts, { customer_id, line_id }) => lineOf(db, customer_id, line_id))

const lookups: readonly DomainTool<Accounts>[] = [
  defineTool({
    name: 'get_customer_by_phone',
    description: 'The customer whom a phone number belongs to, their own or one of their lines.',
    args: { phone_number: z.string().describe("Such as '555-123-2002'") },
    call: (db: Accounts, { phone_number }) => {
      const line = db.lines.find((each) => each.phone_number === phone_number)
      return expectValue(
        db.customers.find(
          (customer) =>
            customer.phone_number === phone_number ||
            (line !== undefined && customer.line_ids.includes(line.line_id)),
        ),
        `There is no customer with the phone number ${phone_number}`,
      )
    },
  }),
  onCustomer({
    name: 'get_customer_by_id',
    description: 'A customer: profile, payment methods, lines, bills.',
  }),
  defineTool({
    name: 'get_customer_by_name',
    description: 'All customers with a name and a date of birth.',
    args: { full_name: z.string(), dob: z.string().describe('Date of birth, YYYY-MM-DD') },
    call: (db: Accounts, { full_name, dob }) =>
      db.customers.filter(
        (customer) =>
          customer.full_name.toLowerCase() === full_name.toLowerCase() && customer.date_of_birth === dob,
      ),
  }),
  defineTool({
    name: 'get_details_by_id',
    description: 'The customer, line, device, bill or plan with an id, which its first letter tells apart.',
    args: { id: z.string().describe("Such as 'L1001', 'D1001', 'B1001', 'C1001' or 'P1001'") },
    call: (db: Accounts, { id }) =>
      expectValue<unknown>(
        db.lines.find(({ line_id }) => line_id === id) ??
          db.devices.find(({ device_id }) => device_id === id) ??
          db.bills.find(({ bill_id }) => bill_id === id) ??
          db.customers.find(({ customer_id }) => customer_id === id) ??
          db.plans.find(({ plan_id }) => plan_id === id),
        `There is nothing with the id ${id}`,
      ),
  }),
  onCustomer({
    name: 'get_bills_for_customer',
    description: "A customer's bills, the newest first.",
    args: { limit: z.number().int().min(1).default(12) },
    answer: ({ bill_ids }, { limit }, db) =>
      db.bills
        .filter(({ bill_id }) => bill_ids.includes(bill_id))
        .sort((a, b) => (a.issue_date < b.issue_date ? 1 : a.issue_date > b.issue_date ? -1 : 0))
        .slice(0, limit),
  }),
  onLine({
    name: 'get_data_usage',
    description: 'How much data a line used this month, its limit, and what was refueled, in GB.',
    answer: (line, { line_id }, db) => {
      const { data_limit_gb } = planOf(db, line.plan_id)
      const { data_used_gb, data_refueling_gb } = line
      return { line_id, data_used_gb, data_limit_gb, data_refueling_gb, cycle_end_date: '2025-02-28' }
    },
  }),
]

const changes: readonly DomainTool<Accounts>[] = [
  onLine({
    name: 'suspend_line',
    description: 'Suspend an active line.',
    args: { reason: z.string() },
    change: (line, { reason }) => {
      refuseUnless(line.status === LINE.active, 'Only an active line can be suspended')
      line.status = LINE.suspended
      line.suspension_start_date = TODAY
      return { message: `Line suspended: ${reason}`, line }
    },
  }),
  onLine({
    name: 'resume_line',
    description: 'Lift the suspension of a line. The user then has to reboot the device.',
    change: (line) => {
      const rests: readonly string[] = [LINE.suspended, LINE.pending]
      refuseUnless(rests.includes(line.status), 'Only a suspended line can be resumed')
      line.status = LINE.active
      line.suspension_start_date = null
      return { message: 'Line resumed', line }
    },
  }),
  defineTool({
    name: 'send_payment_request',
    description:
      'Ask the customer to pay a bill. Whether the bill is overdue is not checked; one request at a time.',
    writes: true,
    args: { customer_id: customerId, bill_id: z.string() },
    call: (db: Accounts, { customer_id, bill_id }) => {
      const bill = billOf(db, customer_id, bill_id)
      const { bill_ids } = customerOf(db, customer_id)
      refuseUnless(
        !db.bills.some((each) => bill_ids.includes(each.bill_id) && each.status === BILL.awaiting),
        'Another bill of this customer is awaiting payment',
      )
      bill.status = BILL.awaiting
      return `A payment request for bill ${bill_id} was sent to the customer`
    },
  }),
  onLine({
    name: 'enable_roaming',
    description: 'Allow a line to roam abroad.',
    change: (line) => roam(line, true),
  }),
  onLine({
    name: 'disable_roaming',
    description: 'No longer allow a line to roam abroad.',
    change: (line) => roam(line, false),
  }),
  onLine({
    name: 'refuel_data',
    description: "Add data to a line beyond its plan's limit, at the plan's price per GB.",
    args: { gb_amount: z.number().positive() },
    change: (line, { customer_id, gb_amount }, db) => {
      const price = cents(gb_amount * planOf(db, line.plan_id).data_refueling_price_per_gb)
      line.data_refueling_gb += gb_amount
      addCharge(db, customer_id, `Data refueling of ${gb_amount} GB - Line ${line.phone_number}`, price)
      return {
        message: `${gb_amount} GB added`,
        new_data_refueling_gb: line.data_refueling_gb,
        charge: price,
      }
    },
  }),
  onLine({
    name: 'change_plan',
    description: 'Put a line on another plan.',
    args: { new_plan_id: z.string() },
    change: (line, { new_plan_id }, db) => {
      refuseUnless(line.plan_id !== new_plan_id, 'The line is on that plan already')
      line.plan_id = planOf(db, new_plan_id).plan_id
      line.last_plan_change_date = TODAY
      return { message: 'Plan changed', line }
    },
  }),
  defineTool({
    name: 'get_available_plans',
    description: 'All plans with limits and prices.',
    args: {},
    call: (db: Accounts) => db.plans,
  }),
]

function roam(line: Line, enabled: boolean): string {
  if (line.roaming_enabled === enabled)
    return `Roaming was already ${enabled ? 'enabled' : 'disabled'} for the line`
  line.roaming_enabled = enabled
  return `Roaming is now ${enabled ? 'enabled' : 'disabled'} for the line`
}

const DRAFT = 'Draft'

/** Puts a charge on the customer's next bill, which is a draft; made where there is none. */
function addCharge(db: Accounts, customer: string, description: string, amount: number): void {
  const { bill_ids } = customerOf(db, customer)
  let draft = db.bills.find((bill) => bill_ids.includes(bill.bill_id) && bill.status === DRAFT)
  if (!draft) {
    draft = {
      ...{ bill_id: `B${db.bills.length + 1001}-draft`, customer_id: customer, status: DRAFT, total_due: 0 },
      ...{ issue_date: '2025-03-01', due_date: '2025-03-15', line_items: [] },
    }
    db.bills.push(draft)
    bill_ids.push(draft.bill_id)
  }
  draft.line_items.push({ description, amount, date: TODAY, item_type: 'Charge' })
  draft.total_due = cents(draft.total_due + amount)
}

/** What an agent of the phone company can do. Policies are the agent's to keep. */
export const ACCOUNT_TOOLS: readonly DomainTool<Accounts>[] = [
  ...COMMON_TOOLS.filter(({ name }) => name === TRANSFER),
  ...lookups,
  ...changes,
]

/** What brings about the states that tasks start from. */
export const ACCOUNT_PREPARATIONS: readonly DomainTool<Accounts>[] = [
  onLine({
    name: 'set_data_usage',
    description: 'Sets how much data a line used.',
    args: { data_used_gb: z.number().min(0) },
    change: (line, { data_used_gb }) => {
      line.data_used_gb = data_used_gb
    },
  }),
  onLine({
    name: 'suspend_line_for_overdue_bill',
    description:
      'Suspends a line for a new bill that is overdue; with `contract_ended` its contract is over too.',
    args: { new_bill_id: z.string(), contract_ended: z.boolean() },
    change: (line, { customer_id, new_bill_id, contract_ended }, db) => {
      const { name, price_per_month } = planOf(db, line.plan_id)
      const date = '2025-01-01'
      db.bills.push({
        bill_id: new_bill_id,
        customer_id,
        period_start: date,
        period_end: '2025-01-31',
        issue_date: date,
        total_due: price_per_month,
        due_date: '2025-01-15',
        status: BILL.overdue,
        line_items: [
          {
            ...{ description: `${name} - Line ${line.phone_number}`, amount: price_per_month, date },
            item_type: 'Plan Charge',
          },
        ],
      })
      customerOf(db, customer_id).bill_ids.push(new_bill_id)
      line.status = LINE.suspended
      line.suspension_start_date = TODAY
      if (contract_ended) line.contract_end_date = '2025-01-31'
    },
  }),
]

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9

/** What tasks ask of the state they end in; each answers with whether it holds. */
export const ACCOUNT_ASSERTIONS: readonly DomainTool<Accounts>[] = [
  onLine({
    name: 'assert_data_refueling_amount',
    description: 'A line was refueled with so much.',
    args: { expected_amount: z.number() },
    answer: ({ data_refueling_gb }, { expected_amount }) => near(data_refueling_gb, expected_amount),
  }),
  onLine({
    name: 'assert_line_status',
    description: 'A line has a status.',
    args: { expected_status: z.string() },
    answer: ({ status }, { expected_status }) => status.toLowerCase() === expected_status.toLowerCase(),
  }),
  defineTool({
    name: 'assert_overdue_bill_exists',
    description: 'A bill is there and overdue.',
    args: { overdue_bill_id: z.string() },
    call: (db: Accounts, { overdue_bill_id }) =>
      db.bills.some(({ bill_id, status }) => bill_id === overdue_bill_id && status === BILL.overdue),
  }),
  defineTool({
    name: 'assert_no_overdue_bill',
    description: 'A bill is paid, or was never there.',
    args: { overdue_bill_id: z.string() },
    call: (db: Accounts, { overdue_bill_id }) =>
      db.bills.every(({ bill_id, status }) => bill_id !== overdue_bill_id || status === BILL.paid),
  }),
]
