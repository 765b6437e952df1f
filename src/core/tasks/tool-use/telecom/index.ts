import { toolSet, type ToolSet } from '../tool'
import { ACCOUNT_ASSERTIONS, ACCOUNT_PREPARATIONS, ACCOUNT_TOOLS, planOf, withId } from './account-tools'
import { accountsSchema, BILL, LINE, type Accounts } from './database'
import { phoneSchema, type Phone } from './phone'
import { PHONE_READINGS } from './phone-readings'
import { PHONE_ASSERTIONS, PHONE_PREPARATIONS, PHONE_TOOLS } from './phone-tools'

/** Lets the phone feel what the company changed about its line, and the company hear of what was paid. */
function bringTogether(db: Accounts, { surroundings }: Phone): void {
  const { phone_number } = surroundings
  if (!phone_number) return
  const line = db.lines.find((each) => each.phone_number === phone_number)
  if (line) {
    const { data_limit_gb } = planOf(db, line.plan_id)
    surroundings.line_active = line.status === LINE.active
    surroundings.roaming_allowed = line.roaming_enabled
    surroundings.mobile_data_usage_exceeded = line.data_used_gb >= data_limit_gb + line.data_refueling_gb
  }
  const request = surroundings.payment_request
  if (request?.paid) {
    withId('Bill', db.bills, 'bill_id', request.bill_id).status = BILL.paid
    surroundings.payment_request = null
  }
  const customer = db.customers.find(
    (each) => each.phone_number === phone_number || (line && each.line_ids.includes(line.line_id)),
  )
  const awaiting = db.bills.find(
    ({ bill_id, status }) => status === BILL.awaiting && customer?.bill_ids.includes(bill_id),
  )
  if (awaiting && !surroundings.payment_request) {
    const { bill_id, total_due } = awaiting
    surroundings.payment_request = { bill_id, amount_due: total_due, paid: false }
  }
}

/** Our version of tau2-bench's phone company: the same names and arguments on both sides, behaving as its manual for agents says. */
export const TELECOM: ToolSet = toolSet({
  files: {
    policy: ['main_policy.md', 'tech_support_manual.md'],
    database: 'db.toml',
    userDatabase: 'user_db.toml',
  },
  agent: {
    schema: accountsSchema,
    tools: ACCOUNT_TOOLS,
    preparations: ACCOUNT_PREPARATIONS,
    assertions: ACCOUNT_ASSERTIONS,
  },
  user: {
    schema: phoneSchema,
    tools: [...PHONE_READINGS, ...PHONE_TOOLS],
    preparations: PHONE_PREPARATIONS,
    assertions: PHONE_ASSERTIONS,
  },
  sync: bringTogether,
})
