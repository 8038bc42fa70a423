import { depositRoutes, type DepositMethod } from '../../../contract/deposits.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'

const methodsSource: ResourceSource<DepositMethod[]> = {
  fetch: (call, signal) => call(depositRoutes.depositMethods, {}, { signal }),
}

/** How money can be deposited. */
export const useDepositMethods = () => useResource(methodsSource)
