String log = new File(basedir, "build.log").getText("UTF-8")
assert log.contains("finding 1 of 1 (likely): sample.Stack")
assert log.contains("Stack.java:21  return isEmpty() ? null : pop();")
assert log.contains("asercheck: there are new findings")
assert new File(basedir, "target/asercheck.html").text.contains("popOrNull")
def results = new groovy.json.JsonSlurper().parse(new File(basedir, "target/asercheck.sarif")).runs[0].results
assert results.size() == 1
// Relative, as code scanning needs it.
assert results[0].locations[0].physicalLocation.artifactLocation.uri == "src/main/java/sample/Stack.java"
