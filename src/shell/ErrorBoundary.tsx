import { Component } from 'react'
import type { ComponentType, ReactNode } from 'react'

export type ErrorBoundaryProps = {
  children: ReactNode
  Fallback: ComponentType<{ retry: () => void }>
  /** Told of each fault; the fault itself may name a member and stays on the device. */
  onError?: () => void
}

/** Keeps the fault of one page to that page. The shell around it goes on. */
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
