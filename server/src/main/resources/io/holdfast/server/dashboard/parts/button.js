/** Buttons. One that cannot be used stays reachable by keyboard, and shows why when it has the focus or the pointer. */
import { html, nothing } from 'lit';

const GAP = 6;
const EDGE = 8;

/** The reason that is shown; one for the whole page. @type {HTMLElement | null} */
let bubble = null;

/** @param {Event} event */
function show({ target }) {
  const button = target instanceof Element ? target.closest('[data-why]') : null;
  if (!(button instanceof HTMLElement)) {
    return;
  }
  hide();
  bubble = document.createElement('div');
  bubble.className = 'why';
  bubble.popover = 'manual';
  bubble.dataset.test = 'why';
  // Screen readers read the reason as part of the button.
  bubble.ariaHidden = 'true';
  bubble.textContent = button.dataset.why ?? '';
  document.body.append(bubble);
  bubble.showPopover();
  place(bubble, button.getBoundingClientRect());
}

/** Below the button, or above it where there is no room. @param {HTMLElement} box @param {DOMRect} button */
function place(box, button) {
  const { width, height } = box.getBoundingClientRect();
  const fits = button.bottom + GAP + height < innerHeight - EDGE;
  box.style.top = `${fits ? button.bottom + GAP : button.top - GAP - height}px`;
  box.style.left = `${Math.max(EDGE, Math.min(button.left, innerWidth - EDGE - width))}px`;
}

function hide() {
  bubble?.remove();
  bubble = null;
}

document.addEventListener('focusin', show);
document.addEventListener('pointerover', show);
document.addEventListener('focusout', hide);
document.addEventListener('pointerout', hide);
addEventListener('scroll', hide, { capture: true, passive: true });
addEventListener('hashchange', hide);

/**
 * A button for an act.
 *
 * @param {object} button
 * @param {Hf.Content} button.label
 * @param {() => unknown} button.act
 * @param {Hf.Content} [button.drawing]
 * @param {string} [button.kind] classes: primary, danger, small
 * @param {string} [button.whyNot] why it cannot be used; empty if it can
 * @param {string} [button.test]
 * @param {string} [button.title] what readers hear, if the label does not say it
 */
export function actButton({ label, drawing, act, kind = '', whyNot = '', test, title }) {
  return html`<button
    type="button"
    class="button ${kind}"
    aria-disabled=${whyNot ? 'true' : nothing}
    aria-label=${title ? `${title}${whyNot ? `: ${whyNot}` : ''}` : nothing}
    data-why=${whyNot || nothing}
    data-test=${test ?? nothing}
    @click=${() => (whyNot ? undefined : act())}
  >
    ${drawing ?? nothing}${whyNot && !title ? html`<span>${label}<span class="only-read">: ${whyNot}</span></span>` : label}
  </button>`;
}
