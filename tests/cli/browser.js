// Uses the page as a person would, and leaves what it has seen where the test finds it.
(async () => {
  const seen = {};
  const wait = time => new Promise(resolve => setTimeout(resolve, time));
  const by = id => document.getElementById(id);
  const list = by("list");
  const set = async (id, value) => {
    by(id).value = value;
    by(id).dispatchEvent(new Event("input"));
    await wait(300);
  };
  const titles = () => [...list.querySelectorAll(".title")].map(node => node.textContent);
  const look = () => ({ shown: by("shown").textContent, titles: titles().slice(0, 100) });
  const opened = node => ({
    lanes: node.querySelectorAll("line.lane").length,
    locks: node.querySelectorAll("svg rect:not(.unit):not(.dot)").length,
    units: node.querySelectorAll("rect.unit").length,
    arrows: node.querySelectorAll("path.switch-arrow").length,
    marks: [...node.querySelectorAll("text.mark-text")].map(mark => mark.textContent),
    steps: node.querySelectorAll("ol.steps li").length,
    sources: node.querySelectorAll(".source").length,
    // Words that run out of the window, and names of threads that are cut.
    cut: innerWidth > 640 ? 0 : [...node.querySelectorAll(".steps span")].filter(span => span.getBoundingClientRect().right > innerWidth).length,
    names: [...node.querySelectorAll(".heads .threads span")].filter(span => span.scrollWidth > span.clientWidth).length,
  });
  try {
    await wait(300);
    seen.width = innerWidth;
    seen.overflow = document.documentElement.scrollWidth - innerWidth;
    seen.background = getComputedStyle(document.body).backgroundColor;
    seen.first = look();
    seen.opened = opened(list.firstElementChild);
    const second = list.children[1];
    second.querySelector("summary").click();
    await wait(300);
    seen.second = opened(second);
    second.querySelector("summary").click();
    await wait(300);
    seen.closed = opened(second);
    seen.wide = document.documentElement.scrollWidth - innerWidth;
    await set("order", "title");
    seen.sorted = look();
    await set("search", "no such words");
    seen.none = look();
    await set("search", "LOST update");
    seen.found = look();
    await set("search", "");
    seen.again = look();
  } catch (error) {
    seen.error = String(error);
  }
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = JSON.stringify(seen);
  document.body.replaceChildren(result);
})();
