import { restHoursDefault } from '../../contract/constants.ts'
import { hourMs } from '../../contract/time.ts'
import type { Settings } from './config.ts'

/** Warnings for the operator, one line each. The venue starts anyway. */
export function startupWarnings(settings: Settings): string[] {
  const own = networkWarnings(settings)
  return settings.mode === 'live' ? [...own, ...liveWarnings(settings)] : own
}

function liveWarnings({ trustProxy, operatorConfig, withdrawalRestMs }: Settings): string[] {
  return [
    ...(operatorConfig.depositMethods.length > 0
      ? []
      : ['CONFIG_FILE has no depositMethods: members cannot deposit']),
    ...(trustProxy === false
      ? ['TRUST_PROXY is off: all members have the address of the proxy and share its rate limits']
      : []),
    ...(withdrawalRestMs < restHoursDefault * hourMs
      ? [
          `withdrawalRestHours of CONFIG_FILE is below ${restHoursDefault}: a stolen account can be emptied before its member notices`,
        ]
      : []),
  ]
}

function networkWarnings({ host, publicUrl, trustProxy }: Settings): string[] {
  if (/^(127\.|::1$|localhost$)/.test(host)) return []
  return [
    ...(publicUrl?.startsWith('https:') === true
      ? []
      : ['plain HTTP beyond this machine: sessions can be read in transit']),
    ...(typeof trustProxy === 'number'
      ? [
          'TRUST_PROXY trusts every client: one that reaches this port without the proxy can choose its address',
        ]
      : []),
  ]
}
