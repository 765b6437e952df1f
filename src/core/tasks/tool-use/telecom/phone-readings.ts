import { z } from 'zod'
import { defineTool, expectValue, type DomainTool } from '../tool'
import { internetSpeed, whyNoMms, type Phone } from './phone'

const on = (value: boolean): string => (value ? 'ON' : 'OFF')

const SIGNALS: Readonly<Record<string, string>> = {
  poor: '📶¹ Poor',
  fair: '📶² Fair',
  good: '📶³ Good',
  excellent: '📶⁴ Excellent',
}

/** What stands in the status bar. */
function statusBar({ device }: Phone): string {
  const parts: string[] = []
  if (device.airplane_mode) parts.push('✈️ Airplane Mode')
  else {
    parts.push(SIGNALS[device.network_signal_strength] ?? '📵 No Signal')
    if (device.network_technology_connected !== 'none') {
      parts.push(device.network_technology_connected)
      parts.push(device.data_enabled ? '📱 Data Enabled' : '📵 Data Disabled')
    }
    if (device.data_saver_mode) parts.push('🔽 Data Saver')
  }
  if (device.wifi_connected) parts.push(`📡 Connected to ${device.wifi_ssid ?? 'Wi-Fi'}`)
  else if (device.wifi_enabled) parts.push('📡 Enabled')
  if (device.vpn_connected) parts.push('🔒 VPN Connected')
  parts.push(`🔋 ${device.battery_level}%`)
  return parts.join(' | ')
}

const simWords: Readonly<Record<string, string>> = {
  active: 'active and working',
  locked_pin: 'locked with a PIN code',
  locked_puk: 'locked with a PUK code',
}

const reading = (name: string, description: string, read: (phone: Phone) => string): DomainTool<Phone> =>
  defineTool({ name, description, args: {}, call: read })

const app = (phone: Phone, name: string) =>
  expectValue(phone.device.app_statuses[name], `There is no app "${name}" on the phone`)
const appArgs = { app_name: z.string().describe("Such as 'messaging'") }

/** What a user can look up on the phone. */
export const PHONE_READINGS: readonly DomainTool<Phone>[] = [
  reading(
    'check_status_bar',
    'Shows the icons in the status bar.',
    (phone) => `Status bar: ${statusBar(phone)}`,
  ),
  reading('check_network_status', 'Shows how the phone is connected.', ({ device }) =>
    [
      `Airplane Mode: ${on(device.airplane_mode)}`,
      `SIM card: ${device.sim_card_missing ? 'missing' : device.sim_card_status}`,
      `Cellular connection: ${device.network_connection_status}`,
      `Cellular signal: ${device.network_signal_strength}`,
      `Cellular network type: ${device.network_technology_connected}`,
      `Mobile data enabled: ${device.data_enabled ? 'Yes' : 'No'}`,
      `Data roaming enabled: ${device.roaming_enabled ? 'Yes' : 'No'}`,
      `Wi-Fi radio: ${on(device.wifi_enabled)}`,
      `Wi-Fi connected: ${device.wifi_connected ? 'Yes' : 'No'}`,
    ].join('\n'),
  ),
  reading(
    'check_network_mode_preference',
    'Shows which kind of network the phone prefers.',
    ({ device }) => `Network mode preference: ${device.network_mode_preference}`,
  ),
  reading('check_sim_status', 'Shows whether the SIM card works.', ({ device }) =>
    device.sim_card_missing
      ? 'The SIM card is missing: none is detected in the phone.'
      : `The SIM card is ${simWords[device.sim_card_status] ?? device.sim_card_status}.`,
  ),
  reading(
    'check_data_restriction_status',
    'Shows whether something limits the use of data.',
    ({ device }) => `Data Saver mode is ${on(device.data_saver_mode)}.`,
  ),
  reading('check_apn_settings', 'Shows the access point of mobile data.', ({ device }) => {
    const { apn_name, mmsc_url, reset_at_reboot } = device.active_apn_settings
    const reset = reset_at_reboot ? ' They are reset at the next reboot.' : ''
    return `Current APN name: ${apn_name}. MMSC URL for picture messages: ${mmsc_url ?? 'not set'}.${reset}`
  }),
  reading('check_wifi_status', 'Shows whether the phone is on Wi-Fi.', ({ device }) =>
    device.wifi_connected
      ? `Wi-Fi is ON and connected to ${device.wifi_ssid ?? 'a network'}, signal ${device.wifi_signal_strength}.`
      : `Wi-Fi is ${on(device.wifi_enabled)} and not connected.`,
  ),
  reading(
    'check_wifi_calling_status',
    'Shows whether calls go over Wi-Fi.',
    ({ device }) => `Wi-Fi Calling is ${on(device.wifi_calling_enabled)}.`,
  ),
  reading('check_vpn_status', 'Shows whether a VPN is in use.', ({ device }) =>
    device.vpn_connected
      ? `VPN is ON and connected. Server performance: ${device.vpn_performance ?? 'unknown'}.`
      : `VPN is ${device.vpn_enabled_setting ? 'ON but not connected' : 'OFF'}.`,
  ),
  reading(
    'check_installed_apps',
    'Names the apps on the phone.',
    ({ device }) => `Installed apps: ${Object.keys(device.app_statuses).join(', ')}`,
  ),
  defineTool({
    name: 'check_app_status',
    description: 'Shows what is known of an app.',
    args: appArgs,
    call: (phone: Phone, { app_name }) => JSON.stringify(app(phone, app_name)),
  }),
  defineTool({
    name: 'check_app_permissions',
    description: 'Shows what an app may use.',
    args: appArgs,
    call: (phone: Phone, { app_name }) => {
      const granted = Object.entries(app(phone, app_name).permissions).flatMap(([name, has]) =>
        has ? [name] : [],
      )
      return `Permissions of ${app_name}: ${granted.length > 0 ? granted.join(', ') : 'none'}.`
    },
  }),
  reading('run_speed_test', 'Measures how fast mobile data is.', (phone) => {
    const speed = internetSpeed(phone)
    return speed
      ? `Speed test: ${speed.mbps} Mbps (${speed.words}).`
      : 'Speed test failed: no connection. Mobile data does not work.'
  }),
  reading('can_send_mms', 'Tries whether picture messages can be sent.', (phone) =>
    whyNoMms(phone) === null
      ? 'The messaging app can send MMS messages.'
      : 'The messaging app cannot send MMS messages.',
  ),
  reading('check_payment_request', 'Shows whether a bill is to be paid.', ({ surroundings }) => {
    const { payment_request: request } = surroundings
    return request
      ? `There is a payment request for bill ${request.bill_id} of ${request.amount_due}.`
      : 'There is no payment request.'
  }),
]
