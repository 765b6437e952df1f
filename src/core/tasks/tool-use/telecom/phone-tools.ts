import { z } from 'zod'
import { defineTool, expectValue, refuseUnless, type DomainTool } from '../tool'
import {
  CARRIER_APN,
  internetSpeed,
  hasMobileData,
  NETWORK_MODES,
  PERMISSIONS,
  searchNetwork,
  whyNoMms,
  type Phone,
} from './phone'

const on = (value: boolean): string => (value ? 'ON' : 'OFF')

function setAirplaneMode(phone: Phone, value: boolean): void {
  const { device } = phone
  device.airplane_mode = value
  if (value) Object.assign(device, { wifi_connected: false, vpn_connected: false })
  searchNetwork(phone)
}

const change = (name: string, description: string, make: (phone: Phone) => string): DomainTool<Phone> =>
  defineTool({ name, description, writes: true, args: {}, call: make })

const permission = z.enum(PERMISSIONS)

function setPermission(phone: Phone, appName: string, name: (typeof PERMISSIONS)[number], value: boolean) {
  expectValue(phone.device.app_statuses[appName], `There is no app "${appName}" on the phone`).permissions[
    name
  ] = value
}

function setNetworkMode(phone: Phone, mode: (typeof NETWORK_MODES)[number]): string {
  phone.device.network_mode_preference = mode
  searchNetwork(phone)
  return `Network mode preference is now ${mode}.`
}

const networkMode: DomainTool<Phone> = defineTool({
  name: 'set_network_mode_preference',
  description: 'Changes which kind of network the phone prefers.',
  writes: true,
  args: { mode: z.enum(NETWORK_MODES) },
  call: (phone: Phone, { mode }) => setNetworkMode(phone, mode),
})

/** What a user can change on the phone. */
export const PHONE_TOOLS: readonly DomainTool<Phone>[] = [
  networkMode,
  change('toggle_airplane_mode', 'Turns Airplane Mode on or off.', (phone) => {
    setAirplaneMode(phone, !phone.device.airplane_mode)
    return `Airplane Mode is now ${on(phone.device.airplane_mode)}.`
  }),
  change('reseat_sim_card', 'Takes the SIM card out and puts it in again.', (phone) => {
    phone.device.sim_card_missing = false
    searchNetwork(phone)
    return 'The SIM card was put in again.'
  }),
  change('toggle_data', 'Turns mobile data on or off.', ({ device }) => {
    device.data_enabled = !device.data_enabled
    return `Mobile data is now ${on(device.data_enabled)}.`
  }),
  change('toggle_roaming', 'Turns data roaming on or off.', ({ device }) => {
    device.roaming_enabled = !device.roaming_enabled
    return `Data roaming is now ${on(device.roaming_enabled)}.`
  }),
  change('toggle_data_saver_mode', 'Turns Data Saver mode on or off.', ({ device }) => {
    device.data_saver_mode = !device.data_saver_mode
    return `Data Saver mode is now ${on(device.data_saver_mode)}.`
  }),
  defineTool({
    name: 'set_apn_settings',
    description: 'Sets the access point of mobile data.',
    writes: true,
    args: {
      apn_settings: z.looseObject({
        apn_name: z.string(),
        mms_apn: z.string().nullish(),
        mmsc_url: z.string().nullish(),
      }),
    },
    call: (phone: Phone, { apn_settings }) => {
      phone.device.active_apn_settings = { ...apn_settings, reset_at_reboot: false }
      searchNetwork(phone)
      return `The APN is now ${apn_settings.apn_name}.`
    },
  }),
  change('reset_apn_settings', 'Resets the access point; it takes effect after a reboot.', ({ device }) => {
    device.active_apn_settings.reset_at_reboot = true
    return 'The APN settings will be reset at the next reboot.'
  }),
  change('toggle_wifi', 'Turns Wi-Fi on or off.', ({ device }) => {
    refuseUnless(!device.airplane_mode, 'Wi-Fi cannot be turned on in Airplane Mode')
    device.wifi_enabled = !device.wifi_enabled
    if (!device.wifi_enabled) Object.assign(device, { wifi_connected: false, wifi_signal_strength: 'none' })
    return `Wi-Fi is now ${on(device.wifi_enabled)}.`
  }),
  change('toggle_wifi_calling', 'Turns Wi-Fi Calling on or off.', ({ device }) => {
    device.wifi_calling_enabled = !device.wifi_calling_enabled
    return `Wi-Fi Calling is now ${on(device.wifi_calling_enabled)}.`
  }),
  change('connect_vpn', 'Connects to the VPN.', ({ device }) => {
    refuseUnless(!device.vpn_connected, 'The VPN is connected already')
    refuseUnless(!device.airplane_mode, 'The VPN cannot be connected in Airplane Mode')
    Object.assign(device, { vpn_enabled_setting: true, vpn_connected: true, vpn_performance: 'excellent' })
    return 'VPN connected.'
  }),
  change('disconnect_vpn', 'Disconnects the VPN.', ({ device }) => {
    refuseUnless(device.vpn_connected, 'No VPN is connected')
    Object.assign(device, { vpn_enabled_setting: false, vpn_connected: false, vpn_performance: null })
    return 'VPN disconnected.'
  }),
  defineTool({
    name: 'grant_app_permission',
    description: 'Lets an app use something.',
    writes: true,
    args: { app_name: z.string().describe("Such as 'messaging'"), permission },
    call: (phone: Phone, { app_name, permission: name }) => {
      setPermission(phone, app_name, name, true)
      return `${app_name} may now use ${name}.`
    },
  }),
  change('reboot_device', 'Starts the phone anew.', (phone) => {
    const { device } = phone
    if (device.active_apn_settings.reset_at_reboot) device.active_apn_settings = { ...CARRIER_APN }
    searchNetwork(phone)
    return 'The phone was started anew.'
  }),
  change('make_payment', 'Pays the bill that a payment request was sent for.', ({ surroundings }) => {
    const request = expectValue(surroundings.payment_request ?? undefined, 'There is no payment request')
    refuseUnless(!request.paid, 'The bill is paid already')
    request.paid = true
    return `Bill ${request.bill_id} of ${request.amount_due} is paid.`
  }),
]

const prepare = (name: string, make: (phone: Phone) => void): DomainTool<Phone> =>
  defineTool({ name, description: 'Prepares the phone.', args: {}, call: make })

/** Switches that tasks turn to a position. */
const positions = ['airplane_mode', 'data', 'roaming', 'data_saver_mode'].flatMap((name) =>
  (['on', 'off'] as const).map((to) =>
    prepare(`turn_${name}_${to}`, (phone) => {
      const { device } = phone
      if (name === 'airplane_mode') setAirplaneMode(phone, to === 'on')
      if (name === 'data') device.data_enabled = to === 'on'
      if (name === 'roaming') device.roaming_enabled = to === 'on'
      if (name === 'data_saver_mode') device.data_saver_mode = to === 'on'
    }),
  ),
)

/** What brings about the states that tasks start from. */
export const PHONE_PREPARATIONS: readonly DomainTool<Phone>[] = [
  ...positions,
  prepare('simulate_network_search', searchNetwork),
  prepare('unseat_sim_card', (phone) => {
    phone.device.sim_card_missing = true
    searchNetwork(phone)
  }),
  defineTool({
    name: 'lock_sim_card',
    description: 'Locks the SIM card.',
    args: { mode: z.enum(['pin', 'puk']) },
    call: (phone: Phone, { mode }) => {
      phone.device.sim_card_status = `locked_${mode}`
      searchNetwork(phone)
    },
  }),
  prepare('break_apn_settings', (phone) => {
    phone.device.active_apn_settings.apn_name = 'broken'
    searchNetwork(phone)
  }),
  prepare('break_apn_mms_setting', ({ device }) => {
    device.active_apn_settings.mmsc_url = null
  }),
  prepare('break_vpn', ({ device }) => {
    Object.assign(device, { vpn_enabled_setting: true, vpn_connected: true, vpn_performance: 'poor' })
  }),
  defineTool({
    name: 'remove_app_permission',
    description: 'Takes a permission from an app.',
    args: { app_name: z.string(), permission },
    call: (phone: Phone, { app_name, permission: name }) => setPermission(phone, app_name, name, false),
  }),
  defineTool({
    name: 'set_wifi_calling',
    description: 'Sets Wi-Fi Calling.',
    args: { enabled: z.boolean(), mms_over_wifi: z.boolean().nullish() },
    call: ({ device }: Phone, { enabled, mms_over_wifi }) => {
      device.wifi_calling_enabled = enabled
      if (typeof mms_over_wifi === 'boolean') device.wifi_calling_mms_over_wifi = mms_over_wifi
    },
  }),
  defineTool({
    name: 'set_user_info',
    description: 'Says whose phone it is.',
    args: { name: z.string(), phone_number: z.string() },
    call: ({ surroundings }: Phone, { name, phone_number }) => {
      Object.assign(surroundings, { name, phone_number })
    },
  }),
  defineTool({
    name: 'set_user_location',
    description: 'Says where the phone is.',
    args: { abroad: z.boolean() },
    call: ({ surroundings }: Phone, { abroad }) => {
      surroundings.is_abroad = abroad
    },
  }),
]

const status = (name: string, is: (phone: Phone) => boolean): DomainTool<Phone> =>
  defineTool({
    name,
    description: 'A switch or a service is as expected.',
    args: { expected_status: z.boolean() },
    call: (phone: Phone, { expected_status }) => is(phone) === expected_status,
  })

/** What tasks ask of the phone in the end; each answers with whether it holds. */
export const PHONE_ASSERTIONS: readonly DomainTool<Phone>[] = [
  status('assert_airplane_mode_status', ({ device }) => device.airplane_mode),
  status('assert_mobile_data_status', hasMobileData),
  status('assert_mobile_roaming_status', ({ device }) => device.roaming_enabled),
  status('assert_mobile_data_saver_mode_status', ({ device }) => device.data_saver_mode),
  status('assert_can_send_mms', (phone) => whyNoMms(phone) === null),
  defineTool({
    name: 'assert_service_status',
    description: 'The phone has service, or none.',
    args: { expected_status: z.string() },
    call: ({ device }: Phone, { expected_status }) => device.network_connection_status === expected_status,
  }),
  defineTool({
    name: 'assert_sim_card_status',
    description: 'The SIM card is as expected.',
    args: { expected_status: z.string() },
    call: ({ device }: Phone, { expected_status }) =>
      (device.sim_card_missing ? 'missing' : device.sim_card_status) === expected_status,
  }),
  defineTool({
    name: 'assert_internet_speed',
    description: 'Mobile data is so fast at least, and called so.',
    args: { expected_speed: z.number(), expected_desc: z.string().nullish() },
    call: (phone: Phone, { expected_speed, expected_desc }) => {
      const speed = internetSpeed(phone)
      if (!speed) return false
      const sameWords = !expected_desc || expected_desc.toLowerCase() === speed.words
      return speed.mbps >= expected_speed && sameWords
    },
  }),
  defineTool({
    name: 'assert_internet_not_excellent',
    description: 'Mobile data is slow, or there is none.',
    args: {},
    call: (phone: Phone) => internetSpeed(phone)?.words !== 'excellent',
  }),
]
