import { Component, type ComponentType, type ReactNode } from 'react'

export type ErrorBoundaryProps = {
  children: ReactNode
  Fallback: ComponentType<{ retry: () => void }>
  /** Called for each error. The error itself may identify a member and stays on the device. */
  onError?: () => void
}

/** Confines an error to its page. The shell around it keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(): void {
    this.props.onError?.()
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return <this.props.Fallback retry={() => this.setState({ failed: false })} />
  }
}
