import { z } from 'zod'
import { uniformFields } from '../../ground/uniform-fields'
import { COMMON_TOOLS } from './common-tools'
import { cents, defineTool, expectValue, refuseUnless, toolOn, toolSet, type ToolSet } from './tool'

const addressSchema = z.looseObject(
  uniformFields(z.string(), 'address1', 'address2', 'city', 'country', 'state', 'zip'),
)

const paymentMethodSchema = z.looseObject({
  source: z.enum(['credit_card', 'gift_card', 'paypal']),
  id: z.string(),
  /** Of gift cards only. */
  balance: z.number().optional(),
})

const variantSchema = z.looseObject({
  item_id: z.string(),
  options: z.record(z.string(), z.string()),
  available: z.boolean(),
  price: z.number(),
})

const orderSchema = z.looseObject({
  order_id: z.string(),
  user_id: z.string(),
  address: addressSchema,
  items: z.array(
    z.looseObject({
      ...uniformFields(z.string(), 'name', 'product_id', 'item_id'),
      price: z.number(),
      options: z.record(z.string(), z.string()),
    }),
  ),
  status: z.string(),
  payment_history: z.array(
    z.looseObject({
      transaction_type: z.enum(['payment', 'refund']),
      amount: z.number(),
      payment_method_id: z.string(),
    }),
  ),
})

/** The retail database in tau2-bench's form; what is in it besides is kept. */
const retailDbSchema = z.looseObject({
  products: z.record(
    z.string(),
    z.looseObject({
      name: z.string(),
      product_id: z.string(),
      variants: z.record(z.string(), variantSchema),
    }),
  ),
  users: z.record(
    z.string(),
    z.looseObject({
      user_id: z.string(),
      name: z.looseObject({ first_name: z.string(), last_name: z.string() }),
      address: addressSchema,
      email: z.string(),
      payment_methods: z.record(z.string(), paymentMethodSchema),
      orders: z.array(z.string()),
    }),
  ),
  orders: z.record(z.string(), orderSchema),
})
type RetailDb = z.infer<typeof retailDbSchema>
type Order = z.infer<typeof orderSchema>

const orderOf = (db: RetailDb, id: string): Order => expectValue(db.orders[id], 'Order not found')
const userOf = (db: RetailDb, id: string) => expectValue(db.users[id], 'User not found')
const methodOf = (db: RetailDb, userId: string, id: string) =>
  expectValue(userOf(db, userId).payment_methods[id], 'Payment method not found')

const count = (ids: readonly string[], id: string): number => ids.filter((each) => each === id).length

/** Every id as often as the order has it at most. */
function refuseUnlessInOrder(order: Order, itemIds: readonly string[]): void {
  const have = order.items.map((item) => item.item_id)
  for (const id of itemIds)
    refuseUnless(count(itemIds, id) <= count(have, id), `Item ${id} is not in the order`)
}

/** The items and what each becomes; of the same product, and available. */
function swapsOf(db: RetailDb, order: Order, itemIds: readonly string[], newItemIds: readonly string[]) {
  refuseUnlessInOrder(order, itemIds)
  refuseUnless(itemIds.length === newItemIds.length, 'There must be one new item for each item')
  const claims = new Set<Order['items'][number]>()
  return itemIds.map((id, i) => {
    const item = expectValue(
      order.items.find((each) => each.item_id === id && !claims.has(each)),
      `Item ${id} is not in the order`,
    )
    claims.add(item)
    const newId = newItemIds[i] ?? ''
    const variant = expectValue(
      db.products[item.product_id]?.variants[newId],
      `New item ${newId} is not of the same product`,
    )
    refuseUnless(variant.available, `New item ${newId} is not available`)
    return { item, variant }
  })
}

const differenceOf = (swaps: ReturnType<typeof swapsOf>): number =>
  cents(swaps.reduce((sum, { item, variant }) => sum + variant.price - item.price, 0))

/** Takes `amount` from a gift card (gives, when negative); other methods settle elsewhere. */
function charge(method: ReturnType<typeof methodOf>, amount: number): void {
  if (method.source !== 'gift_card') return
  const balance = method.balance ?? 0
  refuseUnless(balance >= amount, 'The gift card balance does not cover it')
  method.balance = cents(balance - amount)
}

const orderId = z.string().describe("With its '#', such as '#W1001'")
const itemIds = z.array(z.string()).min(1)
const newItemIds = itemIds.describe('One for each item, in the same order, of the same product')
const paymentMethodId = z.string().describe("From the user's payment methods")
const addressArgs = {
  address1: z.string(),
  address2: z.string().describe("Second line, '' for none"),
  ...uniformFields(z.string(), 'city', 'state', 'country', 'zip'),
}

const onUser = toolOn({ user_id: z.string() }, (db: RetailDb, { user_id }) => userOf(db, user_id))
const onOrder = toolOn({ order_id: orderId }, (db: RetailDb, { order_id }) => orderOf(db, order_id))
const onProduct = toolOn({ product_id: z.string() }, (db: RetailDb, { product_id }) =>
  expectValue(db.products[product_id], 'Product not found'),
)
const onItem = toolOn({ item_id: z.string() }, (db: RetailDb, { item_id }) =>
  expectValue(
    Object.values(db.products).flatMap((product) => product.variants[item_id] ?? [])[0],
    'Item not found',
  ),
)

/** Our versions of tau2-bench's retail tools: the same names, arguments, pre-conditions and effects. */
export const RETAIL: ToolSet = toolSet({
  agent: {
    schema: retailDbSchema,
    tools: [
      ...COMMON_TOOLS,
      defineTool({
        name: 'find_user_id_by_email',
        description: 'The id of the user with an email address.',
        args: { email: z.string() },
        call: (db: RetailDb, { email }) =>
          expectValue(
            Object.values(db.users).find((user) => user.email.toLowerCase() === email.toLowerCase()),
            'User not found',
          ).user_id,
      }),
      defineTool({
        name: 'find_user_id_by_name_zip',
        description:
          'The id of the user with a name and zip code. For users who do not know their email address.',
        args: { first_name: z.string(), last_name: z.string(), zip: z.string() },
        call: (db: RetailDb, { first_name, last_name, zip }) => {
          const target = `${first_name} ${last_name} ${zip}`.toLowerCase()
          return expectValue(
            Object.values(db.users).find(
              ({ name, address }) =>
                `${name.first_name} ${name.last_name} ${address.zip}`.toLowerCase() === target,
            ),
            'User not found',
          ).user_id
        },
      }),
      onUser({
        name: 'get_user_details',
        description: 'A user: name, address, email, payment methods, orders.',
      }),
      onOrder({ name: 'get_order_details', description: 'An order: items, address, status, payments.' }),
      onProduct({
        name: 'get_product_details',
        description: 'A product with all its items: options, price, whether it is available.',
      }),
      onItem({ name: 'get_item_details', description: 'One item of a product.' }),
      defineTool({
        name: 'list_all_product_types',
        description: 'All products by name, with their product ids.',
        args: {},
        call: (db: RetailDb) =>
          Object.fromEntries(
            Object.values(db.products)
              .map(({ name, product_id }) => [name, product_id] as const)
              .sort(([a], [b]) => (a < b ? -1 : 1)),
          ),
      }),
      onOrder({
        name: 'cancel_pending_order',
        description: 'Cancel an order that is pending; what was paid is refunded.',
        args: { reason: z.enum(['no longer needed', 'ordered by mistake']) },
        change: (order, { reason }, db) => {
          refuseUnless(order.status === 'pending', 'Only a pending order can be cancelled')
          const refunds = order.payment_history.map(({ amount, payment_method_id }) => {
            charge(methodOf(db, order.user_id, payment_method_id), -amount)
            return { transaction_type: 'refund' as const, amount, payment_method_id }
          })
          order.payment_history.push(...refunds)
          order.status = 'cancelled'
          order.cancel_reason = reason
        },
      }),
      onOrder({
        name: 'modify_pending_order_address',
        description: 'Change where a pending order is sent.',
        args: addressArgs,
        change: (order, { order_id: _id, ...address }) => {
          refuseUnless(order.status.includes('pending'), 'Only a pending order can be modified')
          order.address = address
        },
      }),
      onOrder({
        name: 'modify_pending_order_items',
        description: 'Change items of a pending order to others of the same product. Works once per order.',
        args: {
          item_ids: itemIds,
          new_item_ids: newItemIds,
          payment_method_id: paymentMethodId,
        },
        change: (order, { item_ids, new_item_ids, payment_method_id }, db) => {
          refuseUnless(
            order.status === 'pending',
            'Only a pending order that was not modified yet can be modified',
          )
          const swaps = swapsOf(db, order, item_ids, new_item_ids)
          for (const { item, variant } of swaps) {
            refuseUnless(item.item_id !== variant.item_id, 'The new item must differ from the old one')
          }
          const difference = differenceOf(swaps)
          charge(methodOf(db, order.user_id, payment_method_id), difference)
          order.payment_history.push({
            transaction_type: difference > 0 ? 'payment' : 'refund',
            amount: Math.abs(difference),
            payment_method_id,
          })
          for (const { item, variant } of swaps) {
            Object.assign(item, { item_id: variant.item_id, price: variant.price, options: variant.options })
          }
          order.status = 'pending (item modified)'
        },
      }),
      onOrder({
        name: 'modify_pending_order_payment',
        description: 'Pay a pending order with another payment method; the first one is refunded.',
        args: { payment_method_id: paymentMethodId },
        change: (order, { payment_method_id }, db) => {
          refuseUnless(order.status.includes('pending'), 'Only a pending order can be modified')
          const method = methodOf(db, order.user_id, payment_method_id)
          const [payment, ...more] = order.payment_history
          refuseUnless(
            payment?.transaction_type === 'payment' && more.length === 0,
            'The order must have been paid exactly once',
          )
          refuseUnless(
            payment.payment_method_id !== payment_method_id,
            'The new payment method must be another one',
          )
          charge(method, payment.amount)
          charge(methodOf(db, order.user_id, payment.payment_method_id), -payment.amount)
          order.payment_history.push(
            { transaction_type: 'payment', amount: payment.amount, payment_method_id },
            {
              transaction_type: 'refund',
              amount: payment.amount,
              payment_method_id: payment.payment_method_id,
            },
          )
        },
      }),
      onUser({
        name: 'modify_user_address',
        description: "Change a user's default address.",
        args: addressArgs,
        change: (user, { user_id: _id, ...address }) => {
          user.address = address
        },
      }),
      onOrder({
        name: 'return_delivered_order_items',
        description:
          'Return items of a delivered order. The refund goes to the original payment method or a gift card.',
        args: { item_ids: itemIds, payment_method_id: paymentMethodId },
        change: (order, { item_ids, payment_method_id }, db) => {
          refuseUnless(order.status === 'delivered', 'Only items of a delivered order can be returned')
          const method = methodOf(db, order.user_id, payment_method_id)
          refuseUnless(
            method.source === 'gift_card' ||
              order.payment_history[0]?.payment_method_id === payment_method_id,
            'The refund must go to the original payment method or a gift card',
          )
          refuseUnlessInOrder(order, item_ids)
          order.status = 'return requested'
          order.return_items = [...item_ids].sort()
          order.return_payment_method_id = payment_method_id
        },
      }),
      onOrder({
        name: 'exchange_delivered_order_items',
        description:
          'Exchange items of a delivered order for others of the same product. Works once per order.',
        args: {
          item_ids: itemIds,
          new_item_ids: newItemIds,
          payment_method_id: paymentMethodId.describe('Pays or receives the difference in price'),
        },
        change: (order, { item_ids, new_item_ids, payment_method_id }, db) => {
          refuseUnless(order.status === 'delivered', 'Only items of a delivered order can be exchanged')
          const difference = differenceOf(swapsOf(db, order, item_ids, new_item_ids))
          const method = methodOf(db, order.user_id, payment_method_id)
          refuseUnless(
            method.source !== 'gift_card' || (method.balance ?? 0) >= difference,
            'The gift card balance does not cover it',
          )
          order.status = 'exchange requested'
          order.exchange_items = [...item_ids].sort()
          order.exchange_new_items = [...new_item_ids].sort()
          order.exchange_payment_method_id = payment_method_id
          order.exchange_price_difference = difference
        },
      }),
    ],
  },
})
