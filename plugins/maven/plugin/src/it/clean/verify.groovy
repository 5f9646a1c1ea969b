String log = new File(basedir, "build.log").getText("UTF-8")
assert log.contains("1 subject: 0 violated, 1 proved")
assert new File(basedir, "target/asercheck.html").text.contains("There are no findings.")
assert new groovy.json.JsonSlurper().parse(new File(basedir, "target/asercheck.sarif")).runs[0].results.isEmpty()
