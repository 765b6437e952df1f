import { z } from 'zod'

export const NETWORK_MODES = ['4g_5g_preferred', '4g_only', '3g_only', '2g_only'] as const
export const PERMISSIONS = ['sms', 'storage', 'phone', 'network'] as const

const apnSchema = z.looseObject({
  apn_name: z.string(),
  mms_apn: z.string().nullish(),
  mmsc_url: z.string().nullish(),
  /** Set by a reset; the carrier's own settings are there after the next reboot. */
  reset_at_reboot: z.boolean().default(false),
})

const deviceSchema = z.looseObject({
  sim_card_status: z.string().default('active'),
  sim_card_missing: z.boolean().default(false),
  airplane_mode: z.boolean().default(false),
  network_signal_strength: z.string().default('good'),
  network_technology_connected: z.string().default('5G'),
  network_connection_status: z.string().default('connected'),
  /** In percent. */
  battery_level: z.number().default(80),
  data_enabled: z.boolean().default(true),
  roaming_enabled: z.boolean().default(false),
  network_mode_preference: z.string().default('4g_5g_preferred'),
  active_apn_settings: apnSchema,
  wifi_enabled: z.boolean().default(false),
  wifi_connected: z.boolean().default(false),
  wifi_ssid: z.string().nullish(),
  wifi_signal_strength: z.string().default('none'),
  wifi_calling_enabled: z.boolean().default(false),
  wifi_calling_mms_over_wifi: z.boolean().default(false),
  data_saver_mode: z.boolean().default(false),
  vpn_enabled_setting: z.boolean().default(false),
  vpn_connected: z.boolean().default(false),
  /** How well the server of the VPN works; null without one. */
  vpn_performance: z.string().nullish(),
  app_statuses: z
    .record(
      z.string(),
      z.looseObject({ app_name: z.string(), permissions: z.record(z.enum(PERMISSIONS), z.boolean()) }),
    )
    .default({}),
})

/** The user's side in tau2-bench's form: a phone, and what is around it. */
export const phoneSchema = z.looseObject({
  device: deviceSchema,
  surroundings: z
    .looseObject({
      name: z.string().nullish(),
      phone_number: z.string().nullish(),
      is_abroad: z.boolean().default(false),
      /** As the line of the phone number has it, brought up to date after each call. */
      roaming_allowed: z.boolean().default(false),
      line_active: z.boolean().default(true),
      mobile_data_usage_exceeded: z.boolean().default(false),
      payment_request: z.object({ bill_id: z.string(), amount_due: z.number(), paid: z.boolean() }).nullish(),
    })
    .prefault({}),
})
export type Phone = z.infer<typeof phoneSchema>
export type Apn = z.infer<typeof apnSchema>

/** The carrier's own access point. */
export const CARRIER_APN: Apn = {
  apn_name: 'internet',
  mms_apn: 'mms',
  mmsc_url: 'http://mms.carrier.com/mms/wapenc',
  reset_at_reboot: false,
}

const NO_SERVICE = 'no_service'

/** What each preference connects to, and how strong that is here. */
const NETWORKS: Readonly<Record<string, readonly [technology: string, signal: string]>> = {
  '4g_5g_preferred': ['5G', 'excellent'],
  '4g_only': ['4G', 'good'],
  '3g_only': ['3G', 'fair'],
  '2g_only': ['2G', 'poor'],
}

/** Connects the phone to the network that its settings lead to, or to none. */
export function searchNetwork({ device, surroundings }: Phone): void {
  const reachable =
    !device.airplane_mode &&
    !device.sim_card_missing &&
    device.sim_card_status === 'active' &&
    device.active_apn_settings.apn_name === CARRIER_APN.apn_name &&
    surroundings.line_active
  const [technology, signal] = (reachable && NETWORKS[device.network_mode_preference]) || ['none', 'none']
  device.network_technology_connected = technology
  device.network_signal_strength = signal
  device.network_connection_status = technology === 'none' ? NO_SERVICE : 'connected'
}

/** Whether mobile data gets through at all. */
export function hasMobileData({ device, surroundings }: Phone): boolean {
  const roams = device.roaming_enabled && surroundings.roaming_allowed
  return (
    device.network_connection_status === 'connected' &&
    !device.airplane_mode &&
    device.data_enabled &&
    !surroundings.mobile_data_usage_exceeded &&
    (!surroundings.is_abroad || roams)
  )
}

/** Mbit/s a technology gives at its best. */
const BEST_SPEED: Readonly<Record<string, number>> = { '5G': 275, '4G': 55, '3G': 3, '2G': 0.2 }
const SIGNAL_SHARE: Readonly<Record<string, number>> = { excellent: 1, good: 0.8, fair: 0.5, poor: 0.2 }

/** How fast mobile data is, in Mbit/s and in words; null where there is none. */
export function internetSpeed(phone: Phone): { readonly mbps: number; readonly words: string } | null {
  const { device } = phone
  if (!hasMobileData(phone)) return null
  const slowed =
    (device.data_saver_mode ? 0.2 : 1) * (device.vpn_connected && device.vpn_performance === 'poor' ? 0.1 : 1)
  const mbps =
    (BEST_SPEED[device.network_technology_connected] ?? 0) *
    (SIGNAL_SHARE[device.network_signal_strength] ?? 0) *
    slowed
  const words =
    mbps < 1 ? 'very poor' : mbps < 5 ? 'poor' : mbps < 25 ? 'fair' : mbps < 100 ? 'good' : 'excellent'
  return { mbps: Math.round(mbps * 100) / 100, words }
}

/** Why no picture messages can be sent; null when they can. */
export function whyNoMms(phone: Phone): string | null {
  const { device } = phone
  if (!hasMobileData(phone)) return 'mobile data does not work'
  if (device.network_technology_connected === '2G') return 'the network is too old'
  if (device.wifi_calling_enabled && device.wifi_calling_mms_over_wifi) return 'they are sent over Wi-Fi'
  if (!device.active_apn_settings.mmsc_url) return 'the MMSC URL is not set'
  const { sms, storage } = device.app_statuses['messaging']?.permissions ?? {}
  return sms === true && storage === true ? null : 'the messaging app lacks a permission'
}
