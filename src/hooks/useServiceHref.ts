import { hrefTo } from '../router/hashLocation.ts'
import { paths } from '../paths.ts'
import { useVenueConfig } from './useVenueConfig.ts'

/** The link to customer service: the conversation in the app, or the configured address. */
export const useServiceHref = (): string => useVenueConfig()?.serviceUrl ?? hrefTo(paths.service)
