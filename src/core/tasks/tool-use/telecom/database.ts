import { z } from 'zod'
import { uniformFields } from '../../../ground/uniform-fields'

const lineSchema = z.looseObject({
  ...uniformFields(z.string(), 'line_id', 'phone_number', 'status', 'plan_id'),
  device_id: z.string().nullish(),
  /** In GB, this month. */
  data_used_gb: z.number().default(0),
  /** In GB, bought beyond the plan's limit. */
  data_refueling_gb: z.number().default(0),
  roaming_enabled: z.boolean().default(false),
  contract_end_date: z.string().nullish(),
  suspension_start_date: z.string().nullish(),
})

const billSchema = z.looseObject({
  bill_id: z.string(),
  customer_id: z.string(),
  issue_date: z.string(),
  total_due: z.number(),
  due_date: z.string(),
  status: z.string(),
  line_items: z
    .array(z.looseObject({ description: z.string(), amount: z.number(), date: z.string() }))
    .default([]),
})

const planSchema = z.looseObject({
  plan_id: z.string(),
  name: z.string(),
  data_limit_gb: z.number(),
  price_per_month: z.number(),
  data_refueling_price_per_gb: z.number().default(0),
})

/** The phone company's database in tau2-bench's form; what is in it besides is kept. */
export const accountsSchema = z.looseObject({
  plans: z.array(planSchema),
  customers: z.array(
    z.looseObject({
      ...uniformFields(z.string(), 'customer_id', 'full_name', 'date_of_birth', 'phone_number'),
      ...uniformFields(z.array(z.string()), 'line_ids', 'bill_ids'),
    }),
  ),
  lines: z.array(lineSchema),
  bills: z.array(billSchema),
  devices: z.array(z.looseObject({ device_id: z.string() })).default([]),
})
export type Accounts = z.infer<typeof accountsSchema>
export type Line = z.infer<typeof lineSchema>
export type Plan = z.infer<typeof planSchema>

/** The day on which all conversations of the benchmark take place, as its policy says. */
export const TODAY = '2025-02-25'

export const BILL = {
  overdue: 'Overdue',
  awaiting: 'Awaiting Payment',
  paid: 'Paid',
} as const
export const LINE = { active: 'Active', suspended: 'Suspended', pending: 'Pending Activation' } as const
