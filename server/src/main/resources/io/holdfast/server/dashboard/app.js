import { LitElement, html } from 'lit';

/** The frame of the dashboard. */
class App extends LitElement {
  render() {
    return html`<main><h1>Holdfast</h1><p><a href="/docs">The HTTP interface</a></p></main>`;
  }
}

customElements.define('hf-app', App);
