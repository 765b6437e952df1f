import { z } from 'zod'
import { COMMON_TOOLS, TRANSFER } from './common-tools'
import { defineTool, expectValue, toolOn, toolSet, type ToolSet } from './tool'

const STATUSES = ['pending', 'completed'] as const

const todoSchema = z.looseObject({
  tasks: z.record(
    z.string(),
    z.looseObject({
      task_id: z.string(),
      title: z.string(),
      description: z.string().nullish(),
      status: z.enum(STATUSES),
    }),
  ),
  users: z.record(
    z.string(),
    z.looseObject({ user_id: z.string(), name: z.string(), tasks: z.array(z.string()) }),
  ),
})
type Todo = z.infer<typeof todoSchema>

const inboxSchema = z.looseObject({
  notifications: z
    .record(
      z.string(),
      z.looseObject({ notification_id: z.string(), message: z.string(), status: z.enum(['unread', 'read']) }),
    )
    .default({}),
})
type Inbox = z.infer<typeof inboxSchema>

const onTask = toolOn({ task_id: z.string() }, (db: Todo, { task_id }) =>
  expectValue(db.tasks[task_id], `Task ${task_id} not found`),
)
const notificationId = z.string().describe("Such as 'notif_1'")
const onNotification = toolOn({ notification_id: notificationId }, (inbox: Inbox, { notification_id }) =>
  expectValue(inbox.notifications[notification_id], `Notification ${notification_id} not found`),
)

/** tau2-bench's small domain for trying things out: a list of tasks, and an inbox on the user's side. */
export const MOCK: ToolSet = toolSet({
  files: { policy: ['policy.md'], database: 'db.json' },
  agent: {
    schema: todoSchema,
    tools: [
      ...COMMON_TOOLS.filter(({ name }) => name === TRANSFER),
      defineTool({
        name: 'create_task',
        description: 'Make a new task for a user; it is pending.',
        writes: true,
        args: { user_id: z.string(), title: z.string(), description: z.string().nullish() },
        call: (db: Todo, { user_id, title, description }) => {
          const user = expectValue(db.users[user_id], `User ${user_id} not found`)
          const task_id = `task_${Object.keys(db.tasks).length + 1}`
          const task = { task_id, title, description: description ?? null, status: STATUSES[0] }
          db.tasks[task_id] = task
          user.tasks.push(task_id)
          return task
        },
      }),
      onTask({
        name: 'update_task_status',
        description: 'Say whether a task is pending or completed.',
        args: { status: z.enum(STATUSES) },
        change: (task, { status }) => {
          task.status = status
        },
      }),
      defineTool({
        name: 'get_users',
        description: 'All users with their tasks.',
        args: {},
        call: (db: Todo) => Object.values(db.users),
      }),
    ],
    assertions: [
      defineTool({
        name: 'assert_task_status',
        description: 'A task has a status.',
        args: { task_id: z.string(), expected_status: z.string() },
        call: (db: Todo, { task_id, expected_status }) => db.tasks[task_id]?.status === expected_status,
      }),
      defineTool({
        name: 'assert_number_of_tasks',
        description: 'A user has so many tasks.',
        args: { user_id: z.string(), expected_number: z.number() },
        call: (db: Todo, { user_id, expected_number }) => db.users[user_id]?.tasks.length === expected_number,
      }),
    ],
  },
  user: {
    schema: inboxSchema,
    tools: [
      defineTool({
        name: 'check_notifications',
        description: 'Shows the notifications in the inbox.',
        args: {},
        call: (inbox: Inbox) => Object.values(inbox.notifications),
      }),
      onNotification({
        name: 'dismiss_notification',
        description: 'Marks a notification as read.',
        change: (notification, { notification_id }) => {
          notification.status = 'read'
          return `Notification ${notification_id} is dismissed.`
        },
      }),
    ],
    preparations: [
      defineTool({
        name: 'add_notification',
        description: 'Puts a notification into the inbox.',
        args: { notification_id: notificationId, message: z.string(), task_id: z.string().nullish() },
        call: (inbox: Inbox, { notification_id, ...rest }) => {
          inbox.notifications[notification_id] = { notification_id, ...rest, status: 'unread' }
        },
      }),
    ],
    assertions: [
      defineTool({
        name: 'assert_notification_status',
        description: 'A notification was read, or not.',
        args: { notification_id: notificationId, expected_status: z.string() },
        call: (inbox: Inbox, { notification_id, expected_status }) =>
          inbox.notifications[notification_id]?.status === expected_status,
      }),
    ],
  },
})
